import { isObject, type JsonObject, member } from '../../json.ts';
import type { Defect, Defects, Parts } from '../mutant.ts';
import { OFFLINE, eachOf, projecting, taken, withList, without } from '../shared/key-parts.ts';

const NULLS = { tools: null, temperature: null, topP: null, topK: null, responseFormat: null };

const EMPTY = { type: 'object', properties: {} };

const ADDED = ['maxOutputTokens', 'seed', 'stop', 'safetySettings'];

/** A defect that leaves members of the request out of the key. */
function omitting(breaks: string, ...names: readonly string[]): Defect {
  const kills = [...OFFLINE, 'cache-key.includes-recipe-fields'];
  return { breaks, kills, parts: projecting((projected) => without(projected, ...names)) };
}

/** Hashes the format of a response as `change` makes it. */
function withResponseFormat(change: (format: JsonObject) => object): Parts {
  return projecting((projected) => {
    const format = member(projected, 'responseFormat');
    return isObject(format) ? { ...projected, responseFormat: change(format) } : projected;
  });
}

/** Hashes the schema of a response as `change` makes it. */
function withResponseSchema(change: (schema: JsonObject) => JsonObject): Parts {
  return withResponseFormat((format) => {
    const { schema } = format;
    return isObject(schema) ? { ...format, schema: change(schema) } : format;
  });
}

/** A defect that lets a member outside the recipe enter the key. */
function including(breaks: string, name: string, seenBy: readonly string[] = OFFLINE): Defect {
  const kills = [...seenBy, 'cache-key.excludes-non-recipe-fields'];
  return { breaks, kills, parts: projecting((projected, request) => ({ ...projected, ...taken(request, [name]) })) };
}

/** A defect that takes a member of the request for one of the recipe that is absent. */
function reading(breaks: string, name: string, as: string): Defect {
  const read = (request: unknown): object =>
    member(request, name) === undefined ? {} : { [as]: member(request, name) };
  return {
    breaks,
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.excludes-non-recipe-fields'],
    parts: projecting((projected, request) => ({ ...read(request), ...projected })),
  };
}

/** A value whose lists and objects are null where they lie deeper than so many levels. */
function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => cutBelow(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutBelow(item, levels - 1)]));
}

/** Which members of the request are in the key. */
export const defects: Defects = {
  'key-null-placeholders': {
    breaks: 'Absent optional fields are hashed as null.',
    kills: [...OFFLINE, 'cache-key.omits-absent'],
    parts: projecting((projected) => ({ ...NULLS, ...projected })),
  },
  'key-defaults-filled': {
    breaks: 'Absent sampling parameters are hashed with the value that they have by default.',
    kills: [...OFFLINE, 'cache-key.omits-absent'],
    parts: projecting((projected) => ({ temperature: 1, topP: 1, ...projected })),
  },
  'key-usual-values-filled': {
    breaks: 'Absent sampling parameters are hashed with values that are usual elsewhere.',
    kills: [...OFFLINE, 'cache-key.omits-absent'],
    parts: projecting((projected) => ({ temperature: 0.2, topP: 0.95, ...projected })),
  },
  'key-parameters-filled': {
    breaks: 'Empty parameters of a tool are hashed as the schema of an object without properties.',
    kills: [...OFFLINE, 'cache-key.omits-absent'],
    parts: projecting((projected) =>
      eachOf(projected, 'tools', (tool) => ({
        ...tool,
        parameters:
          isObject(tool['parameters']) && Object.keys(tool['parameters']).length > 0 ? tool['parameters'] : EMPTY,
      })),
    ),
  },
  'key-zeros-filled': {
    breaks: 'Absent sampling parameters are hashed as 0.',
    kills: [...OFFLINE, 'cache-key.omits-absent', 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) => ({ temperature: 0, topP: 0, topK: 0, ...projected })),
  },
  'key-empty-texts-filled': {
    breaks: 'Absent names and ids of calls are hashed as empty texts.',
    kills: [...OFFLINE, 'cache-key.omits-absent'],
    parts: projecting((projected) => eachOf(projected, 'messages', (each) => ({ name: '', toolCallId: '', ...each }))),
  },
  'key-empty-descriptions-filled': {
    breaks: 'Absent descriptions of tools are hashed as empty texts.',
    kills: [...OFFLINE, 'cache-key.omits-absent'],
    parts: projecting((projected) => eachOf(projected, 'tools', (each) => ({ description: '', ...each }))),
  },
  'key-null-descriptions': {
    breaks: 'Absent descriptions of tools are hashed as null.',
    kills: [...OFFLINE, 'cache-key.omits-absent'],
    parts: projecting((projected) => eachOf(projected, 'tools', (each) => ({ description: null, ...each }))),
  },
  'key-null-schemas': {
    breaks: 'Absent schemas of formats are hashed as null.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.omits-absent'],
    parts: withResponseFormat((format) => ({ schema: null, ...format })),
  },
  'key-empty-schemas-dropped': {
    breaks: 'An empty schema of a response is left out of the key.',
    kills: ['cache-key.reproducible-offline.generated'],
    parts: withResponseFormat((format) =>
      isObject(format['schema']) && Object.keys(format['schema']).length === 0 ? without(format, 'schema') : format,
    ),
  },
  'key-sampling-in-32-bits': {
    breaks: 'temperature and topP are hashed as the doubles next to numbers of 32 bits.',
    kills: [...OFFLINE, 'cache-key.jcs-numbers'],
    parts: projecting((projected) => {
      const single = (name: string): object => {
        const value = member(projected, name);
        return typeof value === 'number' ? { [name]: Math.fround(value) } : {};
      };
      return { ...projected, ...single('temperature'), ...single('topP') };
    }),
  },
  'key-names-in-snake-case': {
    breaks: 'Members are hashed under names in snake case.',
    kills: OFFLINE,
    parts: projecting((projected) => {
      const { topP, topK, responseFormat, ...others } = projected;
      const named = Object.entries({ top_p: topP, top_k: topK, response_format: responseFormat });
      return { ...others, ...Object.fromEntries(named.filter(([, value]) => value !== undefined)) };
    }),
  },
  'key-sampling-omitted': omitting(
    'temperature, topP and topK are left out of the key.',
    'temperature',
    'topP',
    'topK',
  ),
  'key-tools-omitted': omitting('Tools are left out of the key.', 'tools'),
  'key-response-format-omitted': omitting('responseFormat is left out of the key.', 'responseFormat'),
  'key-extra-field-included': including('seed, a field outside the recipe, enters the key.', 'seed'),
  'key-reasoning-effort-included': {
    breaks: 'The effort of reasoning, as one API spells it, enters the key.',
    kills: ['cache-key.excludes-non-recipe-fields'],
    parts: projecting((projected, request) => ({ ...projected, ...taken(request, ['reasoning_effort']) })),
  },
  'key-apiversion-included': including(
    'apiVersion, which says where and how a provider is asked, enters the key.',
    'apiVersion',
    [],
  ),
  'key-baseurl-included': including(
    'baseUrl, which says where and how a provider is asked, enters the key.',
    'baseUrl',
    [],
  ),
  'key-sessionid-included': including(
    'sessionId, which says where and how a provider is asked, enters the key.',
    'sessionId',
    [],
  ),
  'key-top-k-truncated': {
    breaks: 'A fraction of topK is cut off in the key.',
    kills: ['cache-key.jcs-numbers'],
    parts: projecting((projected) => {
      const topK = member(projected, 'topK');
      return typeof topK === 'number' ? { ...projected, topK: Math.trunc(topK) } : projected;
    }),
  },
  'key-temperature-limited': {
    breaks: 'A temperature above 1 is hashed as 1, the highest that some providers take.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.jcs-numbers'],
    parts: projecting((projected) => {
      const temperature = member(projected, 'temperature');
      return Number.isFinite(temperature) ? { ...projected, temperature: Math.min(Number(temperature), 1) } : projected;
    }),
  },
  'key-negative-temperature-limited': {
    breaks: 'A temperature below 0 is hashed as 0.',
    kills: ['cache-key.jcs-numbers'],
    parts: projecting((projected) =>
      Number(member(projected, 'temperature')) < 0 ? { ...projected, temperature: 0 } : projected,
    ),
  },
  'key-negative-top-k-omitted': {
    breaks: 'A topK below 0 counts as absent.',
    kills: ['cache-key.jcs-numbers'],
    parts: projecting((projected) => (Number(member(projected, 'topK')) < 0 ? without(projected, 'topK') : projected)),
  },
  'key-top-k-in-32-bits': {
    breaks: 'A topK of 32 bits is hashed as a signed number, which is below 0.',
    kills: ['cache-key.jcs-numbers'],
    parts: projecting((projected) => {
      const topK = member(projected, 'topK');
      const isLarge = Number.isInteger(topK) && Number(topK) >= 2 ** 31 && Number(topK) < 2 ** 32;
      return isLarge ? { ...projected, topK: Number(topK) | 0 } : projected;
    }),
  },
  'tool-names-trimmed': {
    breaks: 'The names of tools are hashed without white space at their ends.',
    kills: ['cache-key.includes-recipe-fields'],
    parts: projecting((projected) =>
      eachOf(projected, 'tools', (tool) => ({ ...tool, name: String(tool['name']).trim() })),
    ),
  },
  'key-tool-schemas-cleaned': {
    breaks: 'Schemas of tools are hashed without the keywords that some providers refuse.',
    kills: ['cache-key.canonical-tool-schema'],
    parts: projecting((projected) =>
      withList(projected, 'tools', (tools) =>
        tools.map((tool) => ({
          ...taken(tool, ['name', 'description']),
          parameters: without(Object(member(tool, 'parameters')), '$schema', 'additionalProperties'),
        })),
      ),
    ),
  },
  'providers-folded': {
    breaks: 'Providers that have models of another one are hashed as that one.',
    kills: ['cache-key.includes-recipe-fields'],
    parts: projecting((projected) =>
      /^(?:azure|openrouter)/u.test(String(projected['provider'])) ? { ...projected, provider: 'openai' } : projected,
    ),
  },
  'key-provider-omitted': omitting('The provider is left out of the key.', 'provider'),
  'key-recipe-rfc-0150': {
    breaks: 'The recipe of the later RFC 0150 is followed under the name of this one.',
    kills: [...OFFLINE, 'cache-key.excludes-non-recipe-fields'],
    parts: projecting((projected, request) => ({
      recipe: 'openwop-semantic-request-v2',
      ...taken(projected, ['provider', 'model']),
      ...taken(request, ['providerOptions']),
      request: { ...without(projected, 'provider', 'model'), ...taken(request, ADDED) },
    })),
  },
  'key-recipe-null-form': {
    breaks: 'The object that RFC 0041 §A prints is hashed, with nulls for what is absent.',
    kills: [...OFFLINE, 'cache-key.omits-absent', 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) => ({
      ...taken(projected, ['model', 'provider', 'messages']),
      tools: member(projected, 'tools') ?? [],
      temperature: member(projected, 'temperature') ?? null,
      responseSchema: member(member(projected, 'responseFormat'), 'schema') ?? null,
    })),
  },
  'extra-members-all-included': {
    breaks: 'Every member of the request enters the key.',
    kills: [...OFFLINE, 'cache-key.excludes-non-recipe-fields'],
    parts: projecting((projected, request) => ({ ...(isObject(request) ? request : {}), ...projected })),
  },
  'max-tokens-included': including('max_tokens enters the key.', 'max_tokens'),
  'sampling-alias-read': reading('top_p is read where topP is absent.', 'top_p', 'topP'),
  'response-format-alias-read': reading(
    'response_format is read where responseFormat is absent.',
    'response_format',
    'responseFormat',
  ),
  'system-member-as-message': {
    breaks: 'A system text beside the messages is hashed as the first of them.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.excludes-non-recipe-fields'],
    parts: projecting((projected, request) => {
      const content = member(request, 'system');
      if (typeof content !== 'string') return projected;
      return withList(projected, 'messages', (messages) => [{ role: 'system', content }, ...messages]);
    }),
  },
  'tools-cut': {
    breaks: 'The first 64 tools alone are in the key.',
    kills: ['cache-key.includes-recipe-fields'],
    parts: projecting((projected) => withList(projected, 'tools', (tools) => tools.slice(0, 64))),
  },
  'tools-cut-deep': {
    breaks: 'What lies more than ten levels deep in a tool is null in the key.',
    kills: ['cache-key.reproducible-offline.generated'],
    parts: projecting((projected) => withList(projected, 'tools', (tools) => tools.map((tool) => cutBelow(tool, 10)))),
  },
  'provider-rewritten': {
    breaks: 'One id of a provider is hashed without its hyphen.',
    kills: ['cache-key.includes-recipe-fields'],
    parts: projecting((projected) =>
      member(projected, 'provider') === 'azure-openai' ? { ...projected, provider: 'azureopenai' } : projected,
    ),
  },
  'tool-names-lower-cased': {
    breaks: 'The names of tools are hashed in lower case.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) =>
      eachOf(projected, 'tools', (tool) => ({ ...tool, name: String(tool['name']).toLowerCase() })),
    ),
  },
  'tools-extended': {
    breaks: 'Empty parameters of a tool are hashed with additionalProperties: false.',
    kills: ['cache-key.omits-absent', ...OFFLINE],
    parts: projecting((projected) =>
      eachOf(projected, 'tools', (tool) =>
        JSON.stringify(tool['parameters']) === '{}' ? { ...tool, parameters: { additionalProperties: false } } : tool,
      ),
    ),
  },
  'response-schema-without-title': {
    breaks: 'The title of the schema of a response is left out of the key.',
    kills: ['cache-key.includes-recipe-fields'],
    parts: withResponseSchema((schema) => without(schema, 'title')),
  },
  'response-schema-without-definitions': {
    breaks: 'The definitions of the schema of a response are left out of the key.',
    kills: ['cache-key.includes-recipe-fields'],
    parts: withResponseSchema((schema) => without(schema, '$defs')),
  },
  'response-schema-without-comments': {
    breaks: 'What a schema of a response says of itself is left out of the key.',
    kills: ['cache-key.includes-recipe-fields'],
    parts: withResponseSchema((schema) => without(schema, '$schema', '$comment', 'examples', 'default')),
  },
  'response-schema-of-text-dropped': {
    breaks: 'A schema beside the response format text is left out of the key.',
    kills: ['cache-key.includes-recipe-fields'],
    parts: projecting((projected) => {
      const format = member(projected, 'responseFormat');
      const isText = isObject(format) && member(format, 'type') === 'text';
      return isText ? { ...projected, responseFormat: without(format, 'schema') } : projected;
    }),
  },
  'empty-name-omitted': {
    breaks: "A message's name that is an empty text counts as absent.",
    kills: ['cache-key.omits-absent'],
    parts: projecting((projected) =>
      eachOf(projected, 'messages', (message) => (message['name'] === '' ? without(message, 'name') : message)),
    ),
  },
  'user-included': including('user enters the key.', 'user'),
  'tenant-id-included': including('tenant_id enters the key.', 'tenant_id', [
    'cache-key.reproducible-offline.generated',
  ]),
  'run-id-included': including('run_id enters the key.', 'run_id', ['cache-key.reproducible-offline.generated']),
  'trace-id-included': including('traceId enters the key.', 'traceId', ['cache-key.reproducible-offline.generated']),
  'metadata-included': including('metadata enters the key.', 'metadata'),
  'stream-included': including('stream enters the key.', 'stream'),
  'stop-included': including('stop enters the key.', 'stop'),
  'zero-sampling-omitted': {
    breaks: 'A sampling parameter of 0 counts as absent.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) => Object.fromEntries(Object.entries(projected).filter(([, value]) => value !== 0))),
  },
  'zero-top-p-omitted': {
    breaks: 'A topP of 0 counts as absent.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) => (member(projected, 'topP') === 0 ? without(projected, 'topP') : projected)),
  },
  'zero-top-k-omitted': {
    breaks: 'A topK of 0 counts as absent.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) => (member(projected, 'topK') === 0 ? without(projected, 'topK') : projected)),
  },
  'tool-parameters-omitted': {
    breaks: 'The parameters of tools are left out of the key.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) => eachOf(projected, 'tools', (tool) => without(tool, 'parameters'))),
  },
  'tool-descriptions-omitted': {
    breaks: 'The descriptions of tools are left out of the key.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) => eachOf(projected, 'tools', (tool) => without(tool, 'description'))),
  },
  'response-schema-omitted': {
    breaks: 'The schema of responseFormat is left out of the key.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
    parts: projecting((projected) => {
      const format = member(projected, 'responseFormat');
      return isObject(format) ? { ...projected, responseFormat: without(format, 'schema') } : projected;
    }),
  },
  'tools-present-when-empty': {
    breaks: 'An empty list of tools is hashed as present, unlike on the second host.',
    kills: ['cache-key.cross-host-parity'],
    parts: projecting((projected, request) => {
      const tools = member(request, 'tools');
      return Array.isArray(tools) && tools.length === 0 ? { ...projected, tools } : projected;
    }),
  },
  'null-temperature-present': {
    breaks: 'An explicit null of temperature is hashed as present, unlike on the second host.',
    kills: ['cache-key.cross-host-parity'],
    parts: projecting((projected, request) =>
      member(request, 'temperature') === null ? { ...projected, temperature: null } : projected,
    ),
  },
  'nulls-stripped': {
    breaks: 'Nulls inside of schemas are dropped.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.preserves-content-shape'],
    parts: projecting((projected) =>
      Object.fromEntries(Object.entries(projected).map(([name, value]) => [name, stripped(value)])),
    ),
  },
  'text-format-omitted': {
    breaks: 'A response format of plain text counts as absent.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.omits-absent'],
    alsoBreaks: { 'cache-key.includes-recipe-fields': 'a schema beside the type text is left out with it' },
    parts: projecting((projected) =>
      member(member(projected, 'responseFormat'), 'type') === 'text' ? without(projected, 'responseFormat') : projected,
    ),
  },
  'bare-formats-omitted': {
    breaks: 'A response format of JSON or of tool calls that has no schema counts as absent.',
    kills: ['cache-key.includes-recipe-fields'],
    parts: projecting((projected) => {
      const format = member(projected, 'responseFormat');
      const isBare = ['json', 'tool_call'].some((type) => member(format, 'type') === type);
      return isBare && member(format, 'schema') === undefined ? without(projected, 'responseFormat') : projected;
    }),
  },
  'default-temperature-omitted': {
    breaks: 'A temperature of 1 counts as absent.',
    kills: [...OFFLINE, 'cache-key.omits-absent'],
    parts: projecting((projected) =>
      member(projected, 'temperature') === 1 ? without(projected, 'temperature') : projected,
    ),
  },
};

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(present.map(([name, item]) => [name, stripped(item)]));
}
