export type Environment = 'production' | 'sandbox';

export const environments = ['production', 'sandbox'] as const satisfies readonly Environment[];

/** Where an environment is mounted; the last segment is the version. */
export const basePaths: Record<Environment, string> = { production: '/v1', sandbox: '/sandbox/v1' };
