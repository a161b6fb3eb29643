import type { Context } from '../context.ts';

/** RFC 9728: names the authorization server of an environment. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The URL of the metadata of the API or of the MCP address, at `path`. Challenges contain it (RFC 9728 section 5.1). */
export function resourceMetadataUrl(
  { baseUrl, basePath }: Pick<Context, 'baseUrl' | 'basePath'>,
  path: string,
): string {
  return baseUrl.slice(0, -basePath.length) + RESOURCE_METADATA_PATH + path;
}
