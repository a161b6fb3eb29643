import type { RequestHandler } from 'express';
import type { Deprecation } from '../../generated/operations.ts';
import type { Operations } from './find-operation.ts';

/** How long a deprecated operation still works, at least. */
const NOTICE_MONTHS = 12;

/**
 * Says on every answer of a deprecated operation since when it is (Deprecation, RFC 9745), when it goes (Sunset,
 * RFC 8594) and what comes instead (Link, RFC 5829). In the document: `deprecated: true` with `x-deprecated-at` and
 * `x-sunset` (dates) and `x-successor` (another path of the document, or a URL). Throws when the notice is too short.
 */
export function announceDeprecation(operations: Operations): RequestHandler {
  for (const [id, { deprecation }] of Object.entries(operations)) {
    if (deprecation !== null) checkNotice(id, deprecation);
  }
  return (req, _res, next) => {
    const { deprecation } = req.match.operation;
    if (deprecation !== null) {
      const { deprecatedAt, sunset, successor } = deprecation;
      const headers = {
        Deprecation: `@${Date.parse(deprecatedAt) / 1000}`,
        Sunset: new Date(sunset).toUTCString(),
      };
      Object.assign(req.answer ?? {}, headers);
      if (successor !== null) {
        const target = successor.startsWith('/')
          ? req.context.baseUrl + fill(successor, req.match.path)
          : successor;
        Object.assign(req.answer ?? {}, { Link: `<${target}>; rel="successor-version"` });
      }
    }
    next();
  };
}

function checkNotice(id: string, { deprecatedAt, sunset }: Deprecation): void {
  const earliest = new Date(deprecatedAt);
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS);
  // Not `<`, so that a date that can't be read fails too.
  if (new Date(sunset) >= earliest) return;
  throw new Error(`${id}: x-sunset must be a date at least ${NOTICE_MONTHS} months after x-deprecated-at.`);
}

/** The path of the successor has the parameters of the one that was called. */
function fill(path: string, parameters: Record<string, string | undefined>): string {
  return path.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}
