import { call, cliJson, getToken, type RunningServer } from './process.ts';

/** Sends requests to the sandbox, as a new client. */
export async function sandboxCaller({ url }: RunningServer, env: Record<string, string>) {
  const client = await cliJson(env, 'clients', 'create', '--environment', 'sandbox', '--name', 'Test');
  const { client_id = '', client_secret = '' } = client;
  const token = await getToken(`${url}/sandbox/v1`, { client_id, client_secret });
  return (method: string, path: string, body?: object) =>
    call(token, method, `${url}/sandbox/v1${path}`, body);
}
