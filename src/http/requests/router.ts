import type { Request, RequestHandler, Response } from 'express';
import { type Operation, operations } from '../../../generated/operations.ts';
import type { Answer, Handlers } from '../../operation.ts';
import { confirmCredential } from '../authenticate.ts';
import { isNotModified } from '../conditional.ts';
import { withExpanded } from '../expand/expand.ts';
import { withFields } from '../lists/fields.ts';
import { takesFiles } from '../media-types.ts';
import { isRead } from '../request.ts';
import { respond, respondInSlices, respondText } from '../respond.ts';
import { hasRows, sendRows } from '../rows/send-rows.ts';
import type { Contract } from '../validation/contract.ts';
import { servicesBy } from './context-of.ts';
import type { Handler, Kind } from './kind.ts';
import { answerLongPoll, isSuspended } from './long-poll.ts';
import { answerOrdinary } from './ordinary.ts';
import { answerUpload } from './upload.ts';

/** Runs the matched operation: input → transaction → handler → response. */
export function createRouter(handlers: Handlers, contract: Contract): RequestHandler {
  for (const id of Object.keys(operations)) {
    if (!(id in handlers)) throw new Error(`The contract's operation ${id} has no handler.`);
  }
  const servicesOf = servicesBy(contract);
  return async (req, res, next) => {
    const { id, operation } = req.match;
    const check = (answer: Answer) => {
      // Rows are validated one by one as they are sent.
      if (!hasRows(answer)) contract.validateResponse(id, answer.status, answer.body, answer.mediaType);
      return answer;
    };
    const handler: Handler = async (input, context) => {
      const outcome = await (handlers[id] as Handler)(input, context);
      return isSuspended(outcome) ? outcome : check(outcome);
    };
    const services = servicesOf(req.context);
    const answered = await kindOf(operation)(req, res, { handler, services, check });
    if (answered === undefined) return next();
    if (operation.method === 'get') await confirmCredential(req, req.context.db);
    const { fields: given, expand } = req.input.query as ShownQuery;
    const fields = withExpanded(given, expand);
    const answer = withFields(answered, fields);
    for (const name in answer.headers) addHeader(req, name, answer.headers[name] as string);
    if (hasRows(answer))
      await sendRows(req, res, answer, contract.rowsOf(id, answer.status), { fields, expand });
    else await send(req, res, answer);
    next();
  };
}

interface ShownQuery {
  fields?: readonly string[];
  expand?: readonly string[];
}

function kindOf(operation: Operation): Kind {
  if (takesFiles(operation)) return answerUpload;
  return operation.query.includes('wait') ? answerLongPoll : answerOrdinary;
}

async function send(
  req: Request,
  res: Response,
  { status, headers = {}, body, mediaType }: Answer,
): Promise<void> {
  if (headers.ETag !== undefined && isCurrent(req, headers.ETag)) respond(req, res, 304);
  else if (mediaType !== undefined) respondText(req, res, status, { mediaType, text: String(body) });
  else await respondInSlices(req, res, status, body);
}

/** Whether the client has the answer. The tag says nothing of what `expand` adds. */
function isCurrent(req: Request, tag: string): boolean {
  const { expand } = req.input.query as ShownQuery;
  return isRead(req) && expand === undefined && isNotModified(req.headers['if-none-match'], tag);
}

function addHeader({ responseHeaders = {} }: Request, name: string, value: string): void {
  // A deprecated operation has a link already.
  const previous = name === 'Link' ? responseHeaders[name] : undefined;
  responseHeaders[name] = previous === undefined ? value : `${previous}, ${value}`;
}
