export type Environment = 'production' | 'sandbox';

export const environments = ['production', 'sandbox'] as const satisfies readonly Environment[];

/** Where an environment is mounted; the last segment is the version. */
export const basePaths: Record<Environment, string> = { production: '/v1', sandbox: '/sandbox/v1' };

/** The environment that a request target lies in, if that is a path below one. */
export function environmentAt(target: string): Environment | undefined {
  return environments.find((environment) => {
    const basePath = basePaths[environment];
    return target.startsWith(basePath) && /^([/?]|$)/.test(target.slice(basePath.length));
  });
}
