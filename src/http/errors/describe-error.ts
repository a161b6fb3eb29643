/** An error as logged. */
interface Description {
  type: string;
  message: string;
  /** Stack frames without the message. */
  stack: string;
  cause?: Description;
  [property: string]: unknown;
}

/** Logged properties. Others may contain client data: `detail`, `where`, `parameters`. */
const loggedProperties = [
  'code',
  'severity',
  'routine',
  'schema',
  'table',
  'column',
  'constraint',
  'syscall',
] as const;
/** Maximum depth of nested causes. */
const MAX_CAUSES = 5;

/**
 * Describes an error for the log without personal data. PostgreSQL quotes values it can't parse and the row that violates
 * a constraint, and JSON.parse quotes the text.
 */
export function describeError(error: unknown, causes = MAX_CAUSES): Description {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Not an error.', stack: '' };
  const properties = Object.entries(error).filter(([name]) =>
    (loggedProperties as readonly string[]).includes(name),
  );
  const description: Description = {
    ...Object.fromEntries(properties),
    type: error.constructor.name,
    message: withoutValues(error),
    stack: framesOf(error),
  };
  if (error.cause instanceof Error && causes > 0) description.cause = describeError(error.cause, causes - 1);
  return description;
}

/** PostgreSQL quotes values in class 22 and in errors that functions raise. */
function withoutValues(error: Error): string {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  const quotesValue = routine === 'exec_stmt_raise' || /^22[0-9A-Z]{3}$/.test(String(code));
  if (quotesValue) return 'PostgreSQL error; its message is omitted because it quotes a value.';
  if (error instanceof SyntaxError && error.message.includes('JSON')) return 'Invalid JSON.';
  return error.message;
}

/** A stack starts with the message. One of its lines could look like a frame, so a frame must name a file. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at .*(file:|node:|\/|<anonymous>)/.test(line))
    .join('\n');
}
