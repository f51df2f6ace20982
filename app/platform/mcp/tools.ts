import { AppError } from '#app/domain/errors.ts';
import { isAboutSelling } from '#app/platform/http/addresses.ts';
import { jsonSchemaOf, type JsonSchema } from '#app/platform/api/json-schema.ts';
import type { Operation } from '#app/platform/api/operation.ts';
import type { CallValues } from '#app/platform/api/run-call.server.ts';

/** Where a tool's field belongs in the call. */
type Place = 'params' | 'query' | 'body';

/** A call of the API, offered as an MCP tool. */
export interface Tool {
  operation: Operation;
  /** The entry in `tools/list`. */
  listed: {
    name: string;
    title: string;
    description: string;
    inputSchema: JsonSchema & { type: 'object' };
    /** The parts of the answer, one level deep; none for a file. */
    outputSchema?: JsonSchema & { type: 'object' };
    annotations: {
      readOnlyHint: boolean;
      /** Means something only for a tool that is not read-only. */
      destructiveHint?: boolean;
      openWorldHint: boolean;
    };
  };
  /** The place and original name of each field. */
  fields: ReadonlyMap<string, { place: Place; name: string }>;
}

/**
 * Whether a call is a tool. Excludes calls for visitors and administrators, those about the session or account security,
 * those whose response contains a secret, and those that take a file, because a proposal must be readable.
 */
export function isTool({ access, sessionOnly, scope, holdsSecret, upload, noTool }: Operation): boolean {
  if (access === 'public' || access === 'admin' || sessionOnly) return false;
  if (holdsSecret === true || noTool !== undefined) return false;
  return scope === 'read' || upload === undefined;
}

/** The field that confirms an unusual amount. Only the owner may confirm, not a program. */
const OWNERS_ANSWER = 'confirm';

const PROPOSES = 'Changes nothing: it makes a proposal, which the owner accepts or declines.';

/** A field without its bounds, which cost words in every conversation; a refusal names the one that was missed. */
const unbounded = ({
  minimum: _least,
  exclusiveMinimum: _above,
  maximum: _most,
  minLength: _shortest,
  maxLength: _longest,
  ...rest
}: JsonSchema): JsonSchema => rest;

function placed(operation: Operation, place: Place, schema: JsonSchema | null) {
  if (schema === null) return [];
  const { properties, required = [] } = schema;
  if (properties === undefined)
    return [{ place, name: '', field: place, schema, isRequired: place === 'body' }];
  return Object.entries(properties)
    .filter(([name]) => place === 'params' || operation.scope === 'read' || name !== OWNERS_ANSWER)
    .map(([name, property]) => ({
      place,
      name,
      field: name,
      schema: unbounded(property),
      isRequired: place === 'params' || required.includes(name),
    }));
}

/**
 * A field's type without what is inside it, of which the answers speak for themselves.
 * @param shared the schemas that it may refer to
 */
function outline(field: JsonSchema, shared: JsonSchema['$defs'] = {}): JsonSchema {
  const whole = ({ $ref = '', ...own }: JsonSchema): JsonSchema => ({
    ...shared[$ref.replace('#/$defs/', '')],
    ...own,
  });
  const { description } = field;
  const { type, anyOf = [] } = whole(field);
  const types = [type, ...anyOf.map((one) => whole(one)['type'])].flat().filter((one) => one !== undefined);
  return {
    ...(types.length > 0 && { type: types.length > 1 ? types : types[0] }),
    ...(description !== undefined && { description }),
  };
}

/** What a tool answers: the parts of `data`, or the proposal that a write becomes. */
function outputOf({ scope, response, files }: Operation): (JsonSchema & { type: 'object' }) | undefined {
  if (files !== undefined) return undefined;
  const { properties = {}, $defs } = scope === 'read' ? jsonSchemaOf(response, 'output') : {};
  const parts = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, outline(part, $defs)]),
  );
  const data = scope === 'read' ? parts : { proposal: { type: 'object' } };
  return {
    type: 'object',
    properties: { data: { type: 'object', properties: data } },
  };
}

function toolOf(operation: Operation, isSelling: boolean): Tool {
  const { id, summary, description, access, scope, params, query, body } = operation;
  const schemas = {
    params: jsonSchemaOf(params, 'input'),
    query: jsonSchemaOf(query, 'input'),
    body: body === null ? null : jsonSchemaOf(body, 'input'),
  };
  const all = (['params', 'query', 'body'] as const).flatMap((place) =>
    placed(operation, place, schemas[place]),
  );
  const isTwice = (field: string) => all.filter((one) => one.field === field).length > 1;
  const named = all.map((one) => ({
    ...one,
    field: isTwice(one.field) ? `${one.place}_${one.field}` : one.field,
  }));
  const $defs = Object.assign({}, ...Object.values(schemas).map((schema) => schema?.$defs)) as Record<
    string,
    JsonSchema
  >;
  const outputSchema = outputOf(operation);
  const about = [
    `${summary}. ${description}`,
    scope === 'read' ? '' : PROPOSES,
    access === 'premium' && isSelling ? 'Needs Premium.' : '',
  ];
  return {
    operation,
    fields: new Map(named.map(({ field, place, name }) => [field, { place, name }])),
    listed: {
      name: id,
      title: summary,
      description: about.filter((text) => text !== '').join(' '),
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(named.map(({ field, schema }) => [field, schema])),
        required: named.filter(({ isRequired }) => isRequired).map(({ field }) => field),
        additionalProperties: false,
        ...(Object.keys($defs).length > 0 ? { $defs } : {}),
      },
      ...(outputSchema && { outputSchema }),
      annotations: {
        readOnlyHint: scope === 'read',
        ...(scope === 'write' && { destructiveHint: false }),
        openWorldHint: false,
      },
    },
  };
}

/** Made once for each list of calls and kind of server. */
const made = {
  selling: new WeakMap<readonly Operation[], ReadonlyMap<string, Tool>>(),
  plain: new WeakMap<readonly Operation[], ReadonlyMap<string, Tool>>(),
};

/** All tools by name; on a server that sells nothing without those about plans. */
export function toolsOf(operations: readonly Operation[], isSelling: boolean): ReadonlyMap<string, Tool> {
  const cache = isSelling ? made.selling : made.plain;
  const known = cache.get(operations);
  if (known !== undefined) return known;
  const offered = operations.filter((one) => isTool(one) && (isSelling || !isAboutSelling(one.path)));
  const tools = new Map(offered.map((operation) => [operation.id, toolOf(operation, isSelling)]));
  cache.set(operations, tools);
  return tools;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A tool's arguments, sorted into the parts of the call. The call checks their values.
 * @throws AppError INVALID_INPUT for an unknown field or a missing path parameter
 */
export function valuesOf({ fields, listed }: Tool, args: Record<string, unknown>): CallValues {
  const values: CallValues = { params: {}, query: {}, body: {} };
  const wrong = (field: string, message: string) =>
    new AppError('INVALID_INPUT', `${message}: ${field}`, { fields: { [field]: [message] } });
  for (const [name, value] of Object.entries(args)) {
    const field = fields.get(name);
    if (field === undefined) throw wrong(name.slice(0, 100), 'Unknown field');
    if (field.name !== '') values[field.place][field.name] = value;
    else if (isObject(value)) values[field.place] = value;
    else throw wrong(name, 'This must be an object');
  }
  for (const name of listed.inputSchema.required ?? [])
    if (fields.get(name)?.place === 'params' && typeof args[name] !== 'string')
      throw wrong(name, 'This must be text');
  return values;
}
