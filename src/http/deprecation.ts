import type { RequestHandler } from 'express';
import type { Deprecation } from '../../generated/operations.ts';
import type { Operations } from './find-operation.ts';

/** Longer links are left out. No existing id makes one that long. Characters. */
const MAX_SUCCESSOR = 500;
/** Minimum months between deprecation and removal of an operation. */
const NOTICE_MONTHS = 12;

/**
 * Adds headers to every response of a deprecated operation: Deprecation (RFC 9745), Sunset (RFC 8594) and a Link to its
 * successor (RFC 5829). In the document: `deprecated: true` with `x-deprecated-at` and `x-sunset` (dates) and
 * `x-successor` (another path of the document, or a URL). Throws if the notice is shorter than NOTICE_MONTHS.
 */
export function announceDeprecation(operations: Operations): RequestHandler {
  for (const [id, { deprecation }] of Object.entries(operations)) {
    if (deprecation !== null) checkNotice(id, deprecation);
  }
  return (req, _res, next) => {
    const { deprecation } = req.match.operation;
    if (deprecation !== null) {
      const { deprecatedAt, sunset, successor } = deprecation;
      const target = successor?.startsWith('/')
        ? req.context.baseUrl + fill(successor, req.match.path)
        : successor;
      Object.assign(req.responseHeaders ?? {}, {
        Deprecation: `@${Date.parse(deprecatedAt) / 1000}`,
        Sunset: new Date(sunset).toUTCString(),
        ...(target !== null &&
          target.length <= MAX_SUCCESSOR && { Link: `<${target}>; rel="successor-version"` }),
      });
    }
    next();
  };
}

function checkNotice(id: string, { deprecatedAt, sunset }: Deprecation): void {
  const earliest = new Date(deprecatedAt);
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS);
  // Not `<`, so that an invalid date fails too.
  if (new Date(sunset) >= earliest) return;
  throw new Error(`${id}: x-sunset must be a date at least ${NOTICE_MONTHS} months after x-deprecated-at.`);
}

/** Fills the parameters of the called path into the successor's path. */
function fill(path: string, parameters: Record<string, string | undefined>): string {
  return path.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}
