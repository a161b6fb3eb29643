/** An agent's program: the official client of MCP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestClient } from './client.ts';

/** What the tests read of a result. */
export interface Outcome {
  isError: boolean;
  /** The text blocks. */
  texts: string[];
  /** The last block, which is JSON. */
  json: { data: Record<string, unknown>; meta?: Record<string, unknown> } & Record<string, unknown>;
}

export interface Agent {
  client: Client;
  /** The names of the tools that the client gets. */
  tools(): Promise<string[]>;
  call(name: string, values?: Record<string, unknown>): Promise<Outcome>;
  close(): Promise<void>;
}

/** Connects with the headers of the client. The address is that of its environment. */
export async function connectAgent(
  { baseUrl, headers }: TestClient,
  query = '',
  revision?: string,
): Promise<Agent> {
  const url = new URL(`${baseUrl.replace(/v1$/, 'mcp')}${query}`);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  const client = new Client(
    { name: 'test', version: '1' },
    revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } },
  );
  await client.connect(transport);
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, values = {}) {
      const { isError = false, content } = await client.callTool({ name, arguments: values });
      const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
      return { isError, texts, json: JSON.parse(texts.at(-1) ?? '') };
    },
    close: () => client.close(),
  };
}
