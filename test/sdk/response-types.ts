/** The types that a client gives to responses, and where they are `any` or `unknown`. */
import ts from 'typescript';

/** The types of all responses by operation and status, as each generator writes them. */
export const responseTypes: Record<string, (checker: ts.TypeChecker, client: Client) => [string, ts.Type][]> =
  {
    // type GetLeadResponses = { 200: LeadResponse }; type GetLeadErrors = { 404: ApiError }
    'hey-api': (checker, client) =>
      exportsOf(checker, client, 'types.gen.ts', /^(\w+)(Responses|Errors)$/).flatMap(([id, type]) =>
        members(checker, type).map(([status, body]): [string, ts.Type] => [`${id} ${status}`, body]),
      ),

    // interface operations { getLead: { responses: { 200: { content: { 'application/json': … } } } } }
    'openapi-typescript': (checker, client) =>
      exportsOf(checker, client, 'api.ts', /^operations$/).flatMap(([, operations]) =>
        members(checker, operations).flatMap(([id, operation]) =>
          members(checker, member(checker, operation, 'responses')).map(
            ([status, response]): [string, ts.Type] => [
              `${id} ${status}`,
              member(checker, response, 'content'),
            ],
          ),
        ),
      ),

    // type getLeadResponse200 = { data: LeadResponse; status: 200 }
    orval: (checker, client) =>
      exportsOf(checker, client, 'api.ts', /^([a-z]\w+)Response(\d{3})$/).map(([id, type, status]) => [
        `${id} ${status}`,
        member(checker, type, 'data'),
      ]),

    // class Api { leads = { getLead: (…) => Promise<HttpResponse<LeadResponse, ApiError>> } }
    'swagger-typescript-api': (checker, client) =>
      exportsOf(checker, client, 'api.ts', /^Api$/).flatMap(([, api]) =>
        members(checker, api)
          .flatMap(([, group]) => members(checker, group))
          .flatMap(([id, method]) => {
            const [signature] = method.getCallSignatures();
            const promise = signature && checker.getReturnTypeOfSignature(signature);
            const response = promise && checker.getAwaitedType(promise);
            if (response?.symbol?.name !== 'HttpResponse') return [];
            return ['data', 'error'].map((name): [string, ts.Type] => [
              `${id} ${name}`,
              member(checker, response, name),
            ]);
          }),
      ),
  };

/** Where a type is `any` or `unknown`, at any depth. */
export function* untyped(
  checker: ts.TypeChecker,
  type: ts.Type,
  at: string,
  seen = new Set<ts.Type>(),
): Generator<string> {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) yield at;
  if (seen.has(type)) return;
  seen.add(type);
  if (type.isUnionOrIntersection()) {
    for (const part of type.types) yield* untyped(checker, part, at, seen);
    return;
  }
  if (!(type.flags & ts.TypeFlags.Object)) return;
  for (const { type: values } of checker.getIndexInfosOfType(type)) {
    yield* untyped(checker, values, `${at}.*`, seen);
  }
  if (checker.isArrayType(type)) return;
  for (const [name, value] of members(checker, type)) yield* untyped(checker, value, `${at}.${name}`, seen);
}

/** The exported types and classes whose names match, each with the groups of the pattern. */
function exportsOf(
  checker: ts.TypeChecker,
  client: Client,
  file: string,
  pattern: RegExp,
): [string, ts.Type, string][] {
  return client(file).flatMap((symbol): [string, ts.Type, string][] => {
    const [, id = '', status = ''] = pattern.exec(symbol.name) ?? [];
    return pattern.test(symbol.name) ? [[id, checker.getDeclaredTypeOfSymbol(symbol), status]] : [];
  });
}

function members(checker: ts.TypeChecker, type: ts.Type): [string, ts.Type][] {
  return checker
    .getPropertiesOfType(type)
    .map((property) => [property.name, checker.getTypeOfSymbol(property)]);
}

function member(checker: ts.TypeChecker, type: ts.Type, name: string): ts.Type {
  const property = checker.getPropertyOfType(type, name);
  if (property === undefined) throw new Error(`${checker.typeToString(type)} has no ${name}.`);
  return checker.getTypeOfSymbol(property);
}

/** The exports of a file of the client. */
type Client = (file: string) => readonly ts.Symbol[];
