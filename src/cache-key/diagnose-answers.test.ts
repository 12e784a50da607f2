import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { diagnoseAnswers } from './diagnose-answers.ts';
import { observedRecipe } from './observed-recipe.ts';
import { readRequestFile } from './request-file.ts';

/** Hosts written here from plain objects, without the catalogue's own code. */
type Fields = Record<string, unknown>;
type Host = (text: string) => string;

const names = ['provider', 'model', 'messages', 'tools', 'temperature', 'topP', 'topK', 'responseFormat'];
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const jcs = (value: unknown): string => canonicalize(value) ?? '';

function take(text: string, fields: readonly string[] = names): Fields {
  const request: Fields = JSON.parse(text);
  const taken = Object.fromEntries(
    fields.filter((name) => request[name] !== undefined).map((name) => [name, request[name]]),
  );
  return taken;
}

function tools(fields: Fields): readonly { readonly name: string }[] | undefined {
  return Array.isArray(fields['tools']) ? fields['tools'] : undefined;
}

function sorted(fields: Fields): Fields {
  const list = tools(fields);
  return list === undefined ? fields : { ...fields, tools: list.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

function messages(fields: Fields): readonly Fields[] {
  return Array.isArray(fields['messages']) ? fields['messages'] : [];
}

const right = (text: string): string => jcs(sorted(take(text)));
const over =
  (change: (fields: Fields) => Fields): Host =>
  (text) =>
    sha(jcs(change(sorted(take(text)))));
const without =
  (...dropped: string[]): Host =>
  (text) =>
    sha(
      jcs(
        sorted(
          take(
            text,
            names.filter((name) => !dropped.includes(name)),
          ),
        ),
      ),
    );

function python(text: string): string {
  return text.replaceAll(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const hosts: readonly (readonly [string, Host])[] = [
  [
    'null-placeholders',
    over((fields) => ({ tools: null, temperature: null, topP: null, topK: null, responseFormat: null, ...fields })),
  ],
  ['defaults-filled', over((fields) => ({ temperature: 1, topP: 1, ...fields }))],
  ['sampling-omitted', without('temperature', 'topP', 'topK')],
  ['sampling-omitted', without('topK')],
  ['tools-omitted', without('tools')],
  ['response-format-omitted', without('responseFormat')],
  ['extra-field-included', (text) => sha(jcs(sorted(take(text, [...names, 'seed', 'max_tokens']))))],
  ['key-insertion-order', (text) => sha(JSON.stringify(sorted(take(text))))],
  [
    'shallow-sort',
    (text) =>
      sha(
        JSON.stringify(Object.fromEntries(Object.entries(sorted(take(text))).toSorted(([a], [b]) => (a < b ? -1 : 1)))),
      ),
  ],
  ['shallow-sort', (text) => sha(JSON.stringify(sorted(take(text)), Object.keys(take(text)).toSorted()))],
  ['messages-reordered', over((fields) => ({ ...fields, messages: messages(fields).toReversed() }))],
  ['tools-unsorted', (text) => sha(jcs(take(text)))],
  [
    'tools-locale-sorted',
    (text) => {
      const fields = take(text);
      const list = tools(fields);
      return sha(
        jcs(
          list === undefined
            ? fields
            : { ...fields, tools: list.toSorted((a, b) => a.name.localeCompare(b.name, 'en')) },
        ),
      );
    },
  ],
  ['last-message-only', over((fields) => ({ ...fields, messages: messages(fields).slice(-1) }))],
  [
    'system-ignored',
    over((fields) => ({ ...fields, messages: messages(fields).filter(({ role }) => role !== 'system') })),
  ],
  ['provider-omitted', without('provider')],
  ['model-case-folded', over((fields) => ({ ...fields, model: String(fields['model']).toLowerCase() }))],
  ['ascii-escaped', (text) => sha(python(right(text)))],
  [
    'html-escaped',
    (text) => sha(right(text).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026')),
  ],
  ['uppercase-hex', (text) => sha(right(text)).toUpperCase()],
  ['base64', (text) => createHash('sha256').update(right(text)).digest('base64url')],
  ['zeros-dropped', (text) => sha(right(text)).replace(/^0+/u, '')],
  ['zeros-dropped', (text) => sha(right(text)).replaceAll(/0(.)(?=(?:..)*$)/gu, '$1')],
  ['truncated', (text) => sha(right(text)).slice(0, 16)],
  ['algorithm-prefix', (text) => `sha256:${sha(right(text))}`],
  ['trailing-newline', (text) => sha(`${right(text)}\n`)],
  ['other-hash', (text) => createHash('sha512').update(right(text)).digest('hex')],
  [
    'recipe-null-form',
    (text) => {
      const { model, provider, messages: list, tools: some, temperature, responseFormat } = sorted(take(text));
      const schema = Object(responseFormat)['schema'];
      return sha(
        jcs({
          model,
          provider,
          messages: list,
          tools: some ?? [],
          temperature: temperature ?? null,
          responseSchema: schema ?? null,
        }),
      );
    },
  ],
  [
    'recipe-rfc-0150',
    (text) => {
      const { provider, model, ...rest } = sorted(
        take(text, [...names, 'maxOutputTokens', 'seed', 'stop', 'safetySettings']),
      );
      return sha(jcs({ recipe: 'openwop-semantic-request-v2', provider, model, request: rest }));
    },
  ],
];

const fiveMistakes: Host = (text) => `sha256:${sha(python(jcs(take(text, [...names, 'seed'])))).toUpperCase()}`;

const later: Host = (text) => {
  const { provider, model, ...rest } = take(text);
  return sha(python(jcs({ recipe: 'openwop-semantic-request-v2', provider, model, request: rest })));
};

const printed: Host = (text) => {
  const { model, provider, messages: list, tools: some, temperature } = take(text);
  return sha(
    jcs({
      model,
      provider,
      messages: list,
      tools: some ?? [],
      temperature: temperature ?? null,
      responseSchema: null,
    }),
  ).toUpperCase();
};

const file = readRequestFile(
  readFileSync(new URL('../../fixtures/vectors/cache-key-golden.json', import.meta.url), 'utf8'),
);
const golden = file.ok ? file.requests : [];

function answers(host: Host): readonly { readonly name: string; readonly request: string; readonly key: string }[] {
  return golden.map(({ name, request }) => ({ name, request, key: host(request) }));
}

describe('diagnoseAnswers', () => {
  it.each(hosts)('names %s from the golden vectors alone', (code, host) => {
    const diagnosis = diagnoseAnswers(answers(host), 'rfc-0041');
    expect(diagnosis).toMatchObject({ kind: 'explained', explained: 27, total: 27, explanation: { codes: [code] } });
    for (const { request } of golden) expect(diagnosis.keyOf(request)).toBe(host(request));
  });

  it('finds nothing to explain where every key is right', () => {
    expect(
      diagnoseAnswers(
        answers((text) => sha(right(text))),
        'rfc-0041',
      ).kind,
    ).toBe('right');
  });

  it('puts rules together when no single one accounts for all answers', () => {
    expect(diagnoseAnswers(answers(fiveMistakes), 'rfc-0041')).toMatchObject({
      kind: 'explained',
      explained: 27,
      explanation: {
        codes: ['extra-field-included', 'tools-unsorted', 'ascii-escaped', 'uppercase-hex', 'algorithm-prefix'],
      },
    });
  });

  it('names the two mistakes of a Python host with the defaults of its JSON module', () => {
    const spaced = (value: unknown): string => {
      if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
      if (typeof value !== 'object' || value === null) return python(JSON.stringify(value));
      const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
      return `{${members.map(([key, inner]) => `${python(JSON.stringify(key))}: ${spaced(inner)}`).join(', ')}}`;
    };
    const host: Host = (text) => sha(spaced(sorted(take(text))));
    expect(diagnoseAnswers(answers(host), 'rfc-0041')).toMatchObject({
      explanation: { codes: ['ascii-escaped', 'whitespace'] },
    });
  });

  it.each([
    ['a constant', () => sha('constant')],
    ['its own text', (text: string) => text],
    ['something else each time', (text: string) => sha(`${text}${Math.random()}`)],
  ])('leaves a host unexplained that answers %s', (_name, host) => {
    expect(diagnoseAnswers(answers(host), 'rfc-0041')).toMatchObject({ kind: 'unexplained', right: 0, total: 27 });
  });

  it('knows a body that is hashed as it came, where no single rule gives the same keys', () => {
    const texts = [
      '{ "provider":"p","model":"m","messages":[] }',
      '{"provider":"p","model":"m","messages":[],"topP":1.0}',
    ];
    const given = texts.map((request) => ({ name: request, request, key: sha(request) }));
    const found = diagnoseAnswers(given, 'rfc-0041');
    expect(found).toMatchObject({ kind: 'explained', explanation: { codes: ['raw-body'] }, explained: 2, total: 2 });
    const other = diagnoseAnswers([...given, { name: 'other', request: texts[0] ?? '', key: sha('') }], 'rfc-0041');
    expect(other).not.toMatchObject({ explanation: { codes: ['raw-body'] } });
  });

  it('names the first answer that shows the mistake, with both digests', () => {
    const diagnosis = diagnoseAnswers(
      answers((text) => sha(jcs(take(text)))),
      'rfc-0041',
    );
    const vector = golden.find(({ name }) => name === 'tools-sorted-by-name');
    expect(diagnosis).toMatchObject({
      first: { name: 'tools-sorted-by-name', expected: vector?.cacheKey, key: sha(jcs(take(vector?.request ?? '{}'))) },
    });
  });
});

describe('observedRecipe', () => {
  it.each([
    ['rfc-0041', (text: string) => sha(right(text))],
    ['rfc-0041', (text: string) => sha(python(right(text)))],
    ['unknown', () => sha('constant')],
  ])('%s', (recipe, host) => {
    expect(observedRecipe(answers(host))).toBe(recipe);
  });

  it('sees the later recipe and the printed one under a further mistake', () => {
    expect(observedRecipe(answers(later))).toBe('rfc-0150');
    expect(observedRecipe(answers(printed))).toBe('null-form');
  });
});
