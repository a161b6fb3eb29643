import type { Context } from '../context.ts';

/** RFC 9728: names the authorization server of an environment. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The URL of an environment's metadata, which challenges contain (RFC 9728 section 5.1). */
export function resourceMetadataUrl({ baseUrl, basePath }: Pick<Context, 'baseUrl' | 'basePath'>): string {
  return baseUrl.slice(0, -basePath.length) + RESOURCE_METADATA_PATH + basePath;
}
