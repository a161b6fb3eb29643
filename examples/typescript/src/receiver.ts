import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/** Bytes. Events are much smaller. */
const MAX_BODY = 2 ** 20;

/**
 * Receives events: verifies the sender, and stores each event once in the table `inbox`. It answers after it has stored the
 * event, so none is lost. Do your own work from the table: the service waits only 15 seconds for an answer.
 */
export function createReceiver(db: DatabaseSync, secret: string): Server {
  const webhook = new Webhook(secret);
  db.exec('create table if not exists inbox (webhook_id text primary key, event text not null) strict');
  const insert = db.prepare('insert or ignore into inbox (webhook_id, event) values (?, ?)');

  async function receive(req: IncomingMessage): Promise<number> {
    if (req.method !== 'POST') return 405;
    const body = await readBody(req);
    if (body === undefined) return 413;
    const headers = req.headers as Record<string, string>;
    // The signature is of the raw bytes: verify before you parse.
    webhook.verify(body, headers);
    // An event may arrive more than once. Only the first one is stored.
    insert.run(headers['webhook-id'] ?? '', body);
    return 204;
  }

  return createServer((req, res) => {
    receive(req)
      .catch((error: unknown) => {
        if (error instanceof WebhookVerificationError) return 401;
        // The service sends the event again later.
        console.error(error);
        return 500;
      })
      .then((status) => answer(res, status));
  });
}

/** Undefined if it is too long. */
async function readBody(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BODY) chunks.push(chunk);
  }
  return length > MAX_BODY ? undefined : Buffer.concat(chunks).toString('utf8');
}

function answer(res: ServerResponse, status: number): void {
  res.writeHead(status).end();
}
