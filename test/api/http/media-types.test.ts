import express from 'express';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { type OperationId, operations } from '../../../generated/operations.ts';
import { receiveBody } from '../../../src/http/body/body.ts';
import { anonymous } from '../../../src/principal.ts';

/** The Content-Type after the body parser for each original one; undefined if it is rejected. */
async function seenByTheValidator(id: OperationId, types: readonly string[]): Promise<unknown[]> {
  const app = express();
  app.use((req, _res, next) => {
    req.principal = anonymous;
    req.match = { id, operation: operations[id], path: {} };
    next();
  });
  app.use(receiveBody, (req, res) => void res.json({ type: req.headers['content-type'] ?? 'none' }));
  app.use(
    ((_error, _req, res, _next) => void res.status(415).json({})) satisfies express.ErrorRequestHandler,
  );
  const seen: unknown[] = [];
  for (const type of types) {
    const { body } = await supertest(app).post('/').set('Content-Type', type).send('{}');
    seen.push(body.type);
  }
  return seen;
}

/** The schema of a body is found by the media type as the contract spells it. */
describe('however a client spells its Content-Type', () => {
  const spellings = Array.from({ length: 20 }, (_, index) => [
    `application/json; x=${index}`,
    `application/json;charset=utf-8;x="${index}"`,
    `${index % 2 ? 'APPLICATION' : 'application'}/json${' '.repeat(index)}`,
    `application/x-${index}+json`,
    `text/x-${index}`,
  ]).flat();

  it('the validator sees only those of the contract', async () => {
    const seen = await seenByTheValidator('createLead', spellings);
    expect(new Set(seen)).toEqual(new Set(['application/json', undefined]));
    expect(seen.filter((type) => type !== undefined)).toHaveLength(60);
  });

  it('the validator gets no media type without a body', async () => {
    expect(new Set(await seenByTheValidator('getLead', spellings))).toEqual(new Set(['none']));
  });
});
