import { createHash } from 'node:crypto';
import { isObject, type JsonObject, listMember, member, stringMember } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';

const RECIPE = 'x-host-acme-prompt-hash';

/** Names the recipe wherever the document names one, and describes it once. */
function edited(document: unknown): unknown {
  const renamed: unknown = JSON.parse(JSON.stringify(document).replaceAll('spec-rfc-0041', RECIPE));
  const description = `${RECIPE} is SHA-256 over "acme", a zero byte and the canonical object of RFC 0041.`;
  if (!isObject(renamed)) return renamed;
  const extensions = isObject(renamed['extensions']) ? renamed['extensions'] : {};
  return { ...renamed, extensions: { ...extensions, 'x-acme': { description } } };
}

/** Keys follow a recipe of the vendor, which the discovery document describes. */
export const vendorRecipe: Variant = {
  id: 'vendor-recipe',
  notApplicable: [
    'cache-key.reproducible-offline.golden',
    'cache-key.reproducible-offline.alike',
    'cache-key.reproducible-offline.generated',
    'cache-key.lowercase-hex',
    'cache-key.omits-absent',
    'cache-key.sorts-tools',
    'cache-key.canonical-tool-schema',
    'cache-key.preserves-message-order',
    'cache-key.preserves-content-shape',
    'cache-key.model-verbatim',
    'cache-key.jcs-numbers',
    'cache-key.jcs-strings',
    'cache-key.jcs-key-order',
    'cache-key.rejects-non-json-values',
    'cache-key.cross-host-parity',
    'cache-key.nodes-use-it',
  ],
  parts: ({ discovery }) => ({
    discovery: (document) => edited(discovery(document)),
    digest: (text) => createHash('sha256').update(`acme\0${text}`, 'utf8').digest('hex'),
  }),
};

const OPTIONALS = ['tools', 'temperature', 'topP', 'topK', 'responseFormat'];

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** An explicit empty list of tools and an explicit null count as present in the key. */
export const emptyCountsAsPresent: Variant = {
  id: 'empty-counts-as-present',
  parts: ({ projectRequest }) => ({
    projectRequest: (request) => ({
      ...Object.fromEntries(
        OPTIONALS.filter((name) => isEmpty(member(request, name))).map((name) => [name, member(request, name)]),
      ),
      ...projectRequest(request),
    }),
  }),
};

/** Unknown members inside of messages and tools enter the key. */
export const unknownMembersHashed: Variant = {
  id: 'unknown-members-hashed',
  parts: ({ projectRequest }) => ({
    projectRequest: (request) => ({
      ...projectRequest(request),
      messages: member(request, 'messages'),
    }),
  }),
};

/** A provider id that is not in lower case is refused. */
export const upperCaseProviderRefused: Variant = {
  id: 'upper-case-provider-refused',
  parts: ({ validateKeyRequest }) => ({
    validateKeyRequest: (request) => {
      const provider = stringMember(request, 'provider') ?? '';
      return provider === provider.toLowerCase() ? validateKeyRequest(request) : 'provider must be in lower case.';
    },
  }),
};

/** A provider id is folded to lower case before it is hashed. */
export const upperCaseProviderFolded: Variant = {
  id: 'upper-case-provider-folded',
  parts: ({ projectRequest }) => ({
    projectRequest: (request) => {
      const provider = stringMember(request, 'provider') ?? '';
      return { ...projectRequest(request), provider: provider.toLowerCase() };
    },
  }),
};

/** The names of tools, and how many of them, that providers take. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const TOOLS_AT_MOST = 128;

/** More tools than providers take, and tools with other names, are refused. */
export const unusualToolsRefused: Variant = {
  id: 'unusual-tools-refused',
  parts: ({ validateKeyRequest }) => ({
    validateKeyRequest: (request) => {
      const tools = listMember(request, 'tools');
      if (tools.length > TOOLS_AT_MOST) return 'tools must be 128 at most.';
      const isPlain = tools.every((tool) => TOOL_NAME.test(stringMember(tool, 'name') ?? ''));
      return isPlain ? validateKeyRequest(request) : 'The name of a tool must match ^[a-zA-Z0-9_-]{1,64}$.';
    },
  }),
};

/** What a store or a parser does not take: U+0000, noncharacters (RFC 7493 §2.1), a member called __proto__. */
const UNSTORABLE = /(?<!\\)\\u0000|\p{Noncharacter_Code_Point}|"__proto__":/u;

/** Requests are refused that hold what the host's store or its parser does not take. */
export const unstorableRequestsRefused: Variant = {
  id: 'unstorable-requests-refused',
  parts: ({ validateKeyRequest }) => ({
    validateKeyRequest: (request) =>
      UNSTORABLE.test(JSON.stringify(request)) ? 'The request cannot be stored.' : validateKeyRequest(request),
  }),
};

/** Requests are hashed in the words of the recipe, and sent to models in those that their servers want. */
export const requestsAdaptedForTheWire: Variant = {
  id: 'requests-adapted-for-the-wire',
  parts: ({ chatBody }) => ({ chatBody: (body) => adapted(chatBody(body)) }),
};

/** The system is called the developer, texts are blocks, and schemas are strict. */
function adapted(body: JsonObject): JsonObject {
  const messages = listMember(body, 'messages').map((message) => {
    const [role, content] = [member(message, 'role'), member(message, 'content')];
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return { ...Object(message), role: role === 'system' ? 'developer' : role, content: blocks };
  });
  const format = member(body, 'response_format');
  const asked = member(format, 'json_schema');
  const json_schema = { ...Object(asked), strict: true, schema: closed(member(asked, 'schema')) };
  const tools = listMember(body, 'tools').map((tool) => {
    const called = member(tool, 'function');
    const strict = { ...Object(called), strict: true, parameters: closed(member(called, 'parameters')) };
    return { ...Object(tool), function: strict };
  });
  return {
    ...body,
    messages,
    ...(tools.length === 0 ? {} : { tools }),
    ...(isObject(asked) ? { response_format: { ...Object(format), json_schema } } : {}),
  };
}

/** A schema that takes no other members than those that it names. */
function closed(schema: unknown): unknown {
  return isObject(schema) ? { ...schema, additionalProperties: false } : schema;
}
