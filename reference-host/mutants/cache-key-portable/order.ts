import { isObject, member, type JsonObject } from '../../json.ts';
import type { Defects } from '../mutant.ts';
import { OFFLINE, projecting, taken, withList, writing, byCodeUnit } from '../shared/key-parts.ts';

const DECLARED = ['provider', 'model', 'messages', 'tools', 'temperature', 'topP', 'topK', 'responseFormat'];

const ENGLISH = new Intl.Collator('en');

const bytesOf = (tool: unknown): Buffer => Buffer.from(String(member(tool, 'name')));

const composed = (tool: unknown): string => String(member(tool, 'name')).normalize('NFC');

/** The order of members, tools and messages. */
export const defects: Defects = {
  'key-insertion-order': {
    breaks: 'Object names are hashed in the order in which the host wrote them down.',
    kills: [...OFFLINE, 'cache-key.jcs-key-order', 'cache-key.canonical-tool-schema'],
    parts: (conformant) => ({
      ...projecting((projected) => ({ ...taken(projected, DECLARED) }))(conformant),
      ...writing({ names: (names) => names })(conformant),
    }),
  },
  'key-names-sorted-downwards': {
    breaks: 'Object names are sorted downwards.',
    kills: [...OFFLINE, 'cache-key.jcs-key-order', 'cache-key.canonical-tool-schema'],
    parts: writing({ names: (names) => byCodeUnit(names).toReversed() }),
  },
  'key-shallow-sort': {
    breaks: 'Only the names of the outermost object are sorted.',
    kills: [...OFFLINE, 'cache-key.jcs-key-order', 'cache-key.canonical-tool-schema'],
    parts: writing({ names: (names, depth) => (depth === 0 ? byCodeUnit(names) : names) }),
  },
  'key-arrays-sorted': {
    breaks: 'Arrays of plain values inside schemas and content blocks are sorted.',
    kills: [...OFFLINE, 'cache-key.canonical-tool-schema'],
    parts: projecting((projected) =>
      eachValue(projected, (value) => (Array.isArray(value) ? value.map(sorted) : sorted(value))),
    ),
  },
  'response-format-lists-sorted': {
    breaks: 'The required names of a response format are sorted.',
    kills: ['cache-key.reproducible-offline.generated'],
    parts: projecting((projected) => {
      const format = member(projected, 'responseFormat');
      const schema = member(format, 'schema');
      const required = member(schema, 'required');
      if (!isObject(format) || !isObject(schema) || !Array.isArray(required)) return projected;
      return { ...projected, responseFormat: { ...format, schema: { ...schema, required: sorted(required) } } };
    }),
  },
  'key-messages-reordered': {
    breaks: 'Messages are hashed newest first.',
    kills: [...OFFLINE, 'cache-key.preserves-message-order'],
    parts: projecting((projected) => withList(projected, 'messages', (messages) => messages.toReversed())),
  },
  'messages-sorted-by-length': {
    breaks: 'Messages are hashed in the order of the lengths of their content, and those of one length by the content.',
    kills: [...OFFLINE, 'cache-key.preserves-message-order'],
    parts: projecting((projected) => withList(projected, 'messages', (messages) => messages.toSorted(byLength))),
  },
  'key-tools-unsorted': {
    breaks: "Tools are hashed in the request's order.",
    kills: [...OFFLINE, 'cache-key.sorts-tools'],
    parts: projecting((projected, request) =>
      withList(projected, 'tools', (tools) => {
        const place = namesOf(request);
        return tools.toSorted((a, b) => place.indexOf(member(a, 'name')) - place.indexOf(member(b, 'name')));
      }),
    ),
  },
  'key-tools-locale-sorted': {
    breaks: "Tools are sorted by a language's rules instead of by code unit.",
    kills: [...OFFLINE, 'cache-key.sorts-tools'],
    parts: projecting((projected) =>
      withList(projected, 'tools', (tools) =>
        tools.toSorted((a, b) => ENGLISH.compare(String(member(a, 'name')), String(member(b, 'name')))),
      ),
    ),
  },
  'key-code-point-order': {
    breaks: 'Object names are sorted by their UTF-8 bytes.',
    kills: [...OFFLINE, 'cache-key.jcs-key-order'],
    parts: writing({ names: (names) => names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))) }),
  },
  'key-integer-keys-first': {
    breaks: 'Sorted names are put back into an object, which lists integer-like names first.',
    kills: [...OFFLINE, 'cache-key.jcs-key-order'],
    parts: writing({ names: (names) => Object.keys(Object.fromEntries(names.toSorted().map((name) => [name, true]))) }),
  },
  'tool-schema-unsorted': {
    breaks: 'Names inside the parameters of a tool are not sorted.',
    kills: [...OFFLINE, 'cache-key.canonical-tool-schema'],
    alsoBreaks: { 'cache-key.jcs-key-order': "keys of a tool's schema are keys of the canonical form, too" },
    parts: writing({ names: (names, depth) => (depth > 2 ? names : byCodeUnit(names)) }),
  },
  'tools-sorted-downwards': {
    breaks: 'Tools are sorted by name, the greatest first.',
    kills: [...OFFLINE, 'cache-key.sorts-tools'],
    parts: projecting((projected) => withList(projected, 'tools', (tools) => tools.toReversed())),
  },
  'names-locale-sorted': {
    breaks: "Object names are sorted by a language's rules.",
    kills: [...OFFLINE, 'cache-key.jcs-key-order'],
    parts: writing({ names: (names) => names.toSorted(ENGLISH.compare) }),
  },
  'sort-stops-at-depth': {
    breaks: 'Names deeper than eight levels are not sorted.',
    kills: ['cache-key.reproducible-offline.generated'],
    parts: writing({ names: (names, depth) => (depth > 8 ? names : byCodeUnit(names)) }),
  },
  'tools-sorted-by-bytes': {
    breaks: 'Tools are sorted by the UTF-8 bytes of their names instead of by UTF-16 code unit.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.sorts-tools'],
    parts: projecting((projected) =>
      withList(projected, 'tools', (tools) => tools.toSorted((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)))),
    ),
  },
  'tools-compared-normalised': {
    breaks: 'Tools are sorted by their names in Unicode normalisation form C.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.sorts-tools'],
    parts: projecting((projected) =>
      withList(projected, 'tools', (tools) =>
        tools.toSorted((a, b) => (composed(a) < composed(b) ? -1 : composed(a) > composed(b) ? 1 : 0)),
      ),
    ),
  },
};

/** Arrays that hold an object or an array keep their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = value.map(sorted);
    return items.some((item) => typeof item === 'object' && item !== null) ? items : items.toSorted(byText);
  }
  return isObject(value) ? eachValue(value, sorted) : value;
}

function eachValue(object: JsonObject, change: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

function byLength(a: unknown, b: unknown): number {
  const [one, other] = [contentOf(a), contentOf(b)];
  return one.length - other.length || byText(one, other);
}

function contentOf(message: unknown): string {
  return JSON.stringify(member(message, 'content')) ?? '';
}

function byText(a: unknown, b: unknown): number {
  if (String(a) === String(b)) return 0;
  return String(a) < String(b) ? -1 : 1;
}

function namesOf(request: unknown): readonly unknown[] {
  const tools = member(request, 'tools');
  return Array.isArray(tools) ? tools.map((tool) => member(tool, 'name')) : [];
}
