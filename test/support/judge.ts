/**
 * Judges the answers that the tests got by express-openapi-validator's documented middleware, independently of the service's
 * own check of its answers.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Answer } from './recorded-answers.ts';

type Judged = IncomingMessage & { answer: Answer; judge: (verdict: string | undefined) => void };

/** Returns a function that says what is wrong with an answer. */
export function createJudge(): (answer: Answer) => Promise<string | undefined> {
  const app = express();
  app.use(
    middleware({
      apiSpec: contract as never,
      validateApiSpec: false,
      validateRequests: false,
      validateSecurity: false,
      validateResponses: true,
      validateFormats: false,
    }),
  );
  app.use((req, res) => {
    const { answer, judge } = req as unknown as Judged;
    res.status(answer.status).type(answer.contentType).json(JSON.parse(answer.body));
    judge(undefined);
  });
  const refuse: ErrorRequestHandler = (error, req, _res, _next) => {
    const { answer, judge } = req as unknown as Judged;
    const { method, path, status } = answer;
    judge(`${method} ${path} ${status}: ${error.message} ${JSON.stringify(error.errors ?? '')}`);
  };
  app.use(refuse);
  return (answer) =>
    new Promise((judge) => {
      const req = Object.assign(new IncomingMessage(new Socket()), { answer, judge });
      req.method = answer.method;
      req.url = `/v1${answer.path}`;
      req.headers = { host: 'localhost' };
      app(req, new ServerResponse(req));
    });
}
