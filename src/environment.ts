import { schemas } from '../generated/limits.ts';

export const environments = schemas.Environment.enum;

export type Environment = (typeof environments)[number];

/** Mount paths. The last segment is the API version. */
export const basePaths: Record<Environment, string> = { production: '/v1', sandbox: '/sandbox/v1' };

/** Where agents find their tools. */
export const mcpPaths: Record<Environment, string> = { production: '/mcp', sandbox: '/sandbox/mcp' };

/** The environment of a request target. Undefined if the target is outside of both. */
export function environmentAt(target: string): Environment | undefined {
  return environments.find((environment) => {
    const basePath = basePaths[environment];
    return target.startsWith(basePath) && /^([/?]|$)/.test(target.slice(basePath.length));
  });
}
