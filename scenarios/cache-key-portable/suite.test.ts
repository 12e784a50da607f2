import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Exchange, HostRequest, HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded, Scenario, ScenarioOptions } from '../../src/runner/scenario.ts';
import { type Driven, settled } from '../../test/settled.ts';
import { excludesTransport } from './exclusions.ts';
import { cacheKeyPortable } from './index.ts';
import { notASecurityBoundary } from './not-a-security-boundary.ts';

/** A seam in process: a request's text and headers in, a status and a body out; undefined is a dropped connection. */
type Seam = (text: string, headers: Readonly<Record<string, string>>) => { status: number; body: unknown } | undefined;

const options: ScenarioOptions = { seed: 3, vectors: 60, forks: 1, crash: 'quick', recipe: 'rfc-0041', volatile: [] };
const discovery = { multiAgent: { executionModel: { version: 4, replayDeterminism: { supported: true } } } };
let count = 0;

function respond(status: number, body: unknown): Exchange {
  count += 1;
  const text = JSON.stringify(body);
  return { id: `x${count}`, kind: 'response', status, headers: {}, text, json: { ok: true, value: body } };
}

function handleOf(seam: Seam): HostHandle {
  return {
    baseUrl: 'http://fake.invalid',
    exchange: async ({ path, body, headers }: HostRequest) => {
      if (path === '/.well-known/openwop') return respond(200, discovery);
      if (!path.endsWith('/llm-cache-key')) return respond(404, {});
      const answer = seam(body ?? '', headers ?? {});
      if (answer !== undefined) return respond(answer.status, answer.body);
      count += 1;
      return { id: `x${count}`, kind: 'failure', reason: 'reset', message: 'dropped' };
    },
    stream: async () => ({ id: 'x0', kind: 'failure', reason: 'protocol', message: 'no streams here' }),
  };
}

function probeOf(seam: Seam, hostB?: Seam): Probe {
  return {
    host: handleOf(seam),
    otherTenant: handleOf((text, headers) => seam(text, { ...headers, tenant: 'b' })),
    limited: undefined,
    hostB: handleOf(hostB ?? seam),
    witness: undefined,
    discoveryExchange: respond(200, discovery),
    discovery,
    concurrency: 4,
    timeoutMs: 1000,
    signal: new AbortController().signal,
  };
}

interface Result {
  readonly judgements: readonly Judgement[];
  readonly observations: readonly Observation[];
}

async function recordedBy(
  scenario: Scenario,
  probe: Probe,
  given = options,
): Promise<readonly Recorded<Observation>[]> {
  const stored: Observation[] = JSON.parse(JSON.stringify(await scenario.drive(probe, given)));
  return stored.map((observation, index) => Object.assign(observation, { id: `${scenario.id} o${index + 1}` }));
}

async function run(probe: Probe, given: ScenarioOptions = options): Promise<Result> {
  const results = await Promise.all(
    cacheKeyPortable.scenarios.map(async (scenario) => ({
      scenario,
      recorded: await recordedBy(scenario, probe, given),
    })),
  );
  const everything = results.flatMap(({ scenario: { id }, recorded }) =>
    recorded.map((observation) => ({ ...observation, scenario: id })),
  );
  return {
    judgements: results.flatMap(({ scenario, recorded }) => scenario.judge(recorded, given, everything)),
    observations: results.flatMap(({ recorded }) => recorded),
  };
}

/** The requests that show the failure of a check again, by their names. */
function shownBy({ judgements, observations }: Result, id: string): readonly unknown[] | undefined {
  const named = new Map(observations.map((each) => [member(each, 'id'), member(each, 'name')]));
  return judgements.find(({ check }) => check === `cache-key.${id}`)?.steps?.map((step) => named.get(step));
}

function checks(judgements: readonly Judgement[], verdict: Judgement['verdict']): readonly string[] {
  return judgements.filter((each) => each.verdict === verdict).map(({ check }) => check.replace('cache-key.', ''));
}

/** An independent host: plain objects and another JCS. */
type Fields = Record<string, unknown>;

const fieldNames = ['provider', 'model', 'messages', 'tools', 'temperature', 'topP', 'topK', 'responseFormat'];
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const jcs = (value: unknown): string => canonicalize(value) ?? '';

class Malformed extends Error {}

function fieldsOf(text: string, names: readonly string[] = fieldNames): Fields {
  const request: unknown = JSON.parse(text);
  if (typeof request !== 'object' || request === null || Array.isArray(request)) throw new Malformed();
  const given: Fields = Object.fromEntries(Object.entries(request));
  if (
    typeof given['provider'] !== 'string' ||
    typeof given['model'] !== 'string' ||
    !Array.isArray(given['messages'])
  ) {
    throw new Malformed();
  }
  return Object.fromEntries(
    names.flatMap((name) => (given[name] === undefined || given[name] === null ? [] : [[name, given[name]]])),
  );
}

/** The members of a request that the recipe does not know. */
function memberless(text: string): Fields {
  return Object.fromEntries(Object.entries(JSON.parse(text) as Fields).filter(([name]) => !fieldNames.includes(name)));
}

function tools(fields: Fields): readonly { readonly name: string }[] {
  return Array.isArray(fields['tools']) ? fields['tools'] : [];
}

function ordered(fields: Fields, compare: (a: string, b: string) => number = (a, b) => (a < b ? -1 : 1)): Fields {
  const { tools: _, ...rest } = fields;
  const list = tools(fields).toSorted((a, b) => compare(a.name, b.name));
  return list.length === 0 ? rest : { ...rest, tools: list };
}

/** Whether a provider would take tools of these names, and so many of them. */
function areWithinLimits(list: ReturnType<typeof tools>): boolean {
  return list.length <= 128 && list.every(({ name }) => /^[a-zA-Z0-9_-]{1,64}$/.test(name));
}

function seamOf(key: (text: string, headers: Readonly<Record<string, string>>) => string): Seam {
  return (text, headers) => {
    try {
      return { status: 200, body: { cacheKey: key(text, headers) } };
    } catch {
      return { status: 400, body: { error: 'malformed', message: 'no' } };
    }
  };
}

const right = (text: string): string => jcs(ordered(fieldsOf(text)));
/** A host whose keys are right, and which refuses some requests. */
const refusing = (isRefused: (text: string) => boolean): Seam =>
  seamOf((text) => {
    if (isRefused(text)) throw new Malformed();
    return sha(right(text));
  });
const asksForAnotherTopK = (text: string): boolean => ![undefined, 40].includes(fieldsOf(text)['topK'] as 40);
const messages = (fields: Fields): readonly Fields[] => (Array.isArray(fields['messages']) ? fields['messages'] : []);
const over = (change: (fields: Fields) => Fields): Seam => seamOf((text) => sha(jcs(change(ordered(fieldsOf(text))))));

function ascii(text: string): string {
  return text.replaceAll(/[^\x00-\x7f]/gu, (character) =>
    JSON.stringify(character).length > 0 ? escapedUnits(character) : '',
  );
}

function escapedUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}

const repaired = (text: string): string =>
  JSON.stringify(fieldsOf(text)).replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd');

const both = ['reproducible-offline.golden', 'reproducible-offline.generated'];

const wrongHosts: readonly (readonly [code: string, rows: readonly string[], seam: Seam])[] = [
  [
    'null-placeholders',
    ['omits-absent'],
    over((fields) => ({ tools: null, temperature: null, topP: null, topK: null, responseFormat: null, ...fields })),
  ],
  ['defaults-filled', ['omits-absent'], over((fields) => ({ temperature: 0.7, ...fields }))],
  ['tools-unsorted', ['sorts-tools'], seamOf((text) => sha(jcs(fieldsOf(text.replace('"tools":[]', '"tools":null')))))],
  [
    'tools-locale-sorted',
    ['sorts-tools'],
    seamOf((text) => sha(jcs(ordered(fieldsOf(text), (a, b) => a.localeCompare(b, 'en'))))),
  ],
  [
    'extra-field-included',
    ['excludes-non-recipe-fields'],
    seamOf((text) => sha(jcs(ordered(fieldsOf(text, [...fieldNames, 'user', 'seed']))))),
  ],
  [
    'sampling-omitted',
    ['includes-recipe-fields'],
    over((fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'topK'))),
  ],
  [
    'model-case-folded',
    ['model-verbatim'],
    over((fields) => ({ ...fields, model: String(fields['model']).toLowerCase() })),
  ],
  [
    'content-trimmed',
    ['preserves-content-shape'],
    over((fields) => ({
      ...fields,
      messages: messages(fields).map((message) =>
        typeof message['content'] === 'string' ? { ...message, content: message['content'].trim() } : message,
      ),
    })),
  ],
  [
    'content-trimmed',
    ['preserves-content-shape', 'jcs-strings'],
    seamOf((text) => sha(right(text).replaceAll(/\\r\\n|\\./gu, (found) => (found.startsWith('\\r') ? '\\n' : found)))),
  ],
  [
    'messages-reordered',
    ['preserves-message-order'],
    over((fields) => ({ ...fields, messages: messages(fields).toReversed() })),
  ],
  ['ascii-escaped', ['jcs-strings'], seamOf((text) => sha(ascii(right(text))))],
  ['nfc-applied', ['jcs-strings'], seamOf((text) => sha(right(text).normalize('NFC')))],
  [
    'nfc-applied',
    ['jcs-strings'],
    seamOf((text) => {
      right(text);
      return sha(right(JSON.stringify(JSON.parse(text)).normalize('NFC')));
    }),
  ],
  ['uppercase-hex', ['lowercase-hex'], seamOf((text) => sha(right(text)).toUpperCase())],
  ['algorithm-prefix', ['lowercase-hex'], seamOf((text) => `sha256:${sha(right(text))}`)],
  ['zeros-dropped', ['lowercase-hex'], seamOf((text) => sha(right(text)).replace(/^0+/u, ''))],
  ['trailing-newline', [], seamOf((text) => sha(`${right(text)}\n`))],
  [
    'key-insertion-order',
    ['canonical-tool-schema', 'jcs-key-order'],
    seamOf((text) => {
      right(text);
      return sha(JSON.stringify(ordered(fieldsOf(text))));
    }),
  ],
];

describe('a right host', () => {
  it('passes every row that needs no run', async () => {
    const { judgements, observations } = await run(probeOf(seamOf((text) => sha(right(text)))));
    expect(checks(judgements, 'fail')).toEqual([]);
    expect(checks(judgements, 'inconclusive')).toEqual([
      'not-a-security-boundary.no-shared-response',
      'not-a-security-boundary.counted-at-witness',
      'every-llm-node',
      'nodes-use-it',
    ]);
    expect(checks(judgements, 'pass')).toHaveLength(21);
    expect(cacheKeyPortable.recipeObserved?.(observations)).toBe('rfc-0041');
  });

  it('passes whichever way it answers where the documents leave a choice', async () => {
    const strict = seamOf((text) => {
      if (
        /"(?:tools|temperature|topP|responseFormat)":null|"id":"m1"|"strict":|OpenAI|"azure"|"tools":\[\]/u.test(text)
      )
        throw new Malformed();
      return sha(right(text));
    });
    const { judgements } = await run(probeOf(strict));
    expect(checks(judgements, 'fail')).toEqual([]);
    expect(checks(judgements, 'inconclusive')).toHaveLength(4);
  });

  it('has a passing judgement only with evidence', async () => {
    const { judgements } = await run(probeOf(seamOf((text) => sha(right(text)))));
    expect(judgements.filter(({ verdict, evidence }) => verdict === 'pass' && evidence.length === 0)).toEqual([]);
  });
});

function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

function place(message: Fields): number {
  return message['role'] === 'system' ? 0 : 1;
}

describe('a host with one mistake', () => {
  it.each(wrongHosts)('%s fails the rows that it breaks and no others: %j', async (code, rows, seam) => {
    const { judgements } = await run(probeOf(seam));
    expect(checks(judgements, 'fail').toSorted()).toEqual([...both, ...rows].toSorted());
    const [golden, generated] = both.map((row) => judgements.find(({ check }) => check.endsWith(row)));
    expect([golden?.diagnosis?.code, generated?.diagnosis?.code]).toEqual([code, code]);
    expect(generated?.reason).toContain('the smallest wrong request');
  });

  it.each([/-\d{4}-?\d\d-?\d\d$/u, /-(?:\d{4}-\d\d-\d\d|\d{8}|\d{4})$/u, /-\d{4}-\d\d-\d\d$/u])(
    'is named by one rule in all rows where its models lose the date %s',
    async (date) => {
      const seam = over((fields) => ({ ...fields, model: String(fields['model']).replace(date, '') }));
      const { judgements } = await run(probeOf(seam), { ...options, vectors: 100 });
      const failed = judgements.filter(({ verdict }) => verdict === 'fail');
      expect(Object.fromEntries(failed.map(({ check, diagnosis }) => [check, diagnosis?.code]))).toEqual({
        'cache-key.model-verbatim': 'model-normalised',
        'cache-key.reproducible-offline.generated': 'model-normalised',
      });
    },
  );

  it('is named where its rule is for one provider alone', async () => {
    const seam = over((fields) =>
      fields['provider'] === 'google'
        ? { ...fields, messages: messages(fields).toSorted((a, b) => place(a) - place(b)) }
        : fields,
    );
    const { judgements } = await run(probeOf(seam), { ...options, vectors: 200 });
    expect(checks(judgements, 'fail')).toEqual(['reproducible-offline.generated']);
    const row = judgements.find(({ check }) => check.endsWith('generated'));
    expect(row?.diagnosis?.code).toBe('messages-reordered');
    expect(row?.diagnosis?.message).toContain('for google');
  });

  it('passes where it knows one provider and keeps to the limits of providers', async () => {
    const seam = seamOf((text) => {
      const { provider, temperature = 0, topK = 1 } = fieldsOf(text);
      if (provider !== 'openai' || Number(temperature) > 1 || Number(topK) > 500) throw new Malformed();
      return sha(right(text));
    });
    const { judgements } = await run(probeOf(seam));
    expect(checks(judgements, 'fail')).toEqual([]);
    expect(judgements.find(({ check }) => check.endsWith('generated'))?.reason).toContain('may refuse');
  });

  it('passes where it refuses more tools, and other names of tools, than providers take', async () => {
    const seam = seamOf((text) => {
      if (!areWithinLimits(tools(fieldsOf(text)))) throw new Malformed();
      return sha(right(text));
    });
    const { judgements } = await run(probeOf(seam));
    expect(checks(judgements, 'fail')).toEqual([]);
    expect(checks(judgements, 'pass')).toEqual(expect.arrayContaining(['sorts-tools', 'canonical-tool-schema']));
    expect(judgements.find(({ check }) => check.endsWith('generated'))).toMatchObject({ verdict: 'pass' });
  });

  it.each<[string, (a: string, b: string) => number]>([
    ['by the rules of a language', (a, b) => new Intl.Collator('en').compare(a, b)],
    ['by their length', byLength],
    ['as they came', () => 0],
  ])('fails where it refuses such tools and orders the others %s', async (_, compare) => {
    const seam = seamOf((text) => {
      const fields = fieldsOf(text);
      if (!areWithinLimits(tools(fields))) throw new Malformed();
      return sha(jcs(ordered(fields, compare)));
    });
    const { judgements } = await run(probeOf(seam));
    expect(checks(judgements, 'fail')).toContain('sorts-tools');
  });

  it('leaves what it refuses of other rows to the row about keys', async () => {
    const seam = seamOf((text) => {
      if ('responseFormat' in fieldsOf(text)) throw new Malformed();
      return sha(right(text));
    });
    const { judgements } = await run(probeOf(seam));
    const refused = ['omits-absent', 'jcs-numbers', 'jcs-strings', 'jcs-key-order', 'lowercase-hex'];
    const named = refused.map((row) => judgements.find(({ check }) => check === `cache-key.${row}`)?.restsOn);
    expect(new Set(named)).toEqual(new Set(['cache-key.reproducible-offline']));
    expect(checks(judgements, 'fail').filter((row) => !refused.includes(row))).toEqual(both);
  });

  it('fails where it refuses tools that every provider takes', async () => {
    const seam = seamOf((text) => {
      if (tools(fieldsOf(text)).length > 2) throw new Malformed();
      return sha(right(text));
    });
    const { judgements } = await run(probeOf(seam));
    // Of the generated requests with so many tools each holds something else that a host may refuse.
    expect(checks(judgements, 'fail')).toEqual(['reproducible-offline.golden', 'sorts-tools']);
  });

  it.each<[string, (text: string) => boolean]>([
    ['noncharacters, as RFC 7493 does', (text) => /[\ufdd0-\ufdef\ufffe\uffff]|\u{10ffff}/u.test(text)],
    ['U+0000, as its database does', (text) => text.includes(String.raw`\u0000`)],
    ['a member called __proto__, as its parser does', (text) => text.includes('"__proto__":')],
    ['topK, which its provider does not know', (text) => Object.hasOwn(fieldsOf(text), 'topK')],
    ['the answer of a tool without its call', (text) => text.includes('"role":"tool"')],
  ])('may refuse %s', async (_, isRefused) => {
    const { judgements } = await run(probeOf(refusing(isRefused)));
    expect(checks(judgements, 'fail')).toEqual([]);
    const rows = ['jcs-strings', 'jcs-key-order', 'jcs-numbers', 'omits-absent'];
    expect(checks(judgements, 'pass')).toEqual(expect.arrayContaining([...both, ...rows]));
  });

  it('has refused nothing for a reason that the request with every field gives, too, where that got its key', async () => {
    const { judgements } = await run(probeOf(refusing(asksForAnotherTopK)));
    expect(judgements.find(({ check }) => check.endsWith('includes-recipe-fields'))).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('"topK" got no key'),
    });
  });

  it('may refuse members outside the closed set, and is told what to do so that something shows', async () => {
    const { judgements } = await run(probeOf(refusing((text) => Object.keys(memberless(text)).length > 0)));
    expect(checks(judgements, 'fail')).toEqual([]);
    expect(checks(judgements, 'pass')).toEqual(expect.arrayContaining(both));
    expect(judgements.find(({ check }) => check.endsWith('excludes-non-recipe-fields'))).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/"stream" got no key: refused with 400, and \d+ more.*let the seam take members/u),
    });
  });

  it('is named where its tools are in order of length, which a plain request shows', async () => {
    const { judgements } = await run(probeOf(seamOf((text) => sha(jcs(ordered(fieldsOf(text), byLength))))));
    const rows = ['reproducible-offline.golden', 'reproducible-offline.generated', 'sorts-tools'];
    expect(checks(judgements, 'fail')).toEqual(rows);
    const codes = judgements.flatMap(({ verdict, diagnosis }) => (verdict === 'fail' ? [diagnosis?.code] : []));
    expect(new Set(codes)).toEqual(new Set(['tools-unsorted']));
  });

  it.each(['topP', 'topK'])('a %s of 0 that counts as absent fails the rows that send one', async (field) => {
    const seam = over((fields) =>
      Object.fromEntries(Object.entries(fields).filter(([name, value]) => name !== field || value !== 0)),
    );
    const result = await run(probeOf(seam));
    const { judgements } = result;
    expect(checks(judgements, 'fail')).toEqual(['reproducible-offline.generated', 'includes-recipe-fields']);
    expect(shownBy(result, 'includes-recipe-fields')).toEqual([`${field} left out`, `${field} 0 instead of absent`]);
    const row = judgements.find(({ check }) => check.endsWith('includes-recipe-fields'));
    expect(row?.actual).toBe(`the same key when these change: ${field} 0 instead of absent`);
    expect(row?.diagnosis?.code).toBe('sampling-omitted');
  });

  it('a provider that counts as another one fails the row about fields, by its name', async () => {
    const seam = over((fields) => (fields['provider'] === 'vertex' ? { ...fields, provider: 'openai' } : fields));
    const result = await run(probeOf(seam));
    const { judgements } = result;
    expect(checks(judgements, 'fail')).toEqual(['includes-recipe-fields']);
    const row = judgements.find(({ check }) => check.endsWith('includes-recipe-fields'));
    const name = 'the provider, vertex instead of openai';
    expect(row?.actual).toBe(`the same key when these change: ${name}`);
    expect(shownBy(result, 'includes-recipe-fields')).toEqual(['every field', name]);
  });

  it('a field that is rewritten without two values becoming one fails the row about fields, with the right key', async () => {
    const seam = over((fields) => ({ ...fields, provider: String(fields['provider']).replace('-', '') }));
    const { judgements } = await run(probeOf(seam));
    expect(checks(judgements, 'fail')).toEqual(['includes-recipe-fields']);
    const row = judgements.find(({ check }) => check.endsWith('includes-recipe-fields'));
    expect(row?.expected).toMatch(/^[0-9a-f]{64} for "the provider, azure-openai instead of openai"$/u);
  });

  it('required names of a response format that are sorted are named', async () => {
    const seam = seamOf((text) =>
      sha(
        right(text).replaceAll(/"required":(\["[^[\]]*"\]),?/gu, (whole, list: string) =>
          whole.replace(list, JSON.stringify((JSON.parse(list) as readonly string[]).toSorted())),
        ),
      ),
    );
    const { judgements } = await run(probeOf(seam));
    const row = judgements.find(({ check }) => check.endsWith('reproducible-offline.generated'));
    expect(row).toMatchObject({ verdict: 'fail', diagnosis: { code: 'arrays-sorted' } });
    expect(row?.diagnosis?.message).toContain('required names');
  });

  it('an empty schema of a response format that is left out is named', async () => {
    const { judgements } = await run(probeOf(seamOf((text) => sha(right(text).replace('"schema":{},', '')))));
    const row = judgements.find(({ check }) => check.endsWith('reproducible-offline.generated'));
    expect(row).toMatchObject({ verdict: 'fail', diagnosis: { code: 'defaults-dropped' } });
  });

  it.each(['topP', 'topK', 'responseFormat'])(
    'another name of %s, read where it is absent, is shown',
    async (field) => {
      const name = field.replace(/[A-Z]/u, (letter) => `_${letter.toLowerCase()}`);
      const seam = seamOf((text) => {
        const { [name]: other, ...fields } = fieldsOf(text, [...fieldNames, name]);
        return sha(jcs(ordered(other === undefined ? fields : { [field]: other, ...fields })));
      });
      const { judgements } = await run(probeOf(seam));
      const row = judgements.find(({ check }) => check.endsWith('excludes-non-recipe-fields'));
      const generated = judgements.find(({ check }) => check.endsWith('reproducible-offline.generated'));
      for (const each of [row, generated]) {
        expect(each).toMatchObject({ verdict: 'fail', diagnosis: { code: 'other-name-read' } });
      }
      expect(row?.actual).toBe(`another key with "${name}", "all of them together"`);
    },
  );

  it.each([13, 120])('a wrong key for every %ith request fails the row about it as well', async (every) => {
    let asked = 0;
    const seam = seamOf((text) => {
      asked += 1;
      return sha(right(text) + (asked % every === 0 ? 'x' : ''));
    });
    const { judgements } = await run(probeOf(seam));
    const row = judgements.find(({ check }) => check === 'cache-key.deterministic');
    expect(row).toMatchObject({ verdict: 'fail', diagnosis: { code: 'salted' } });
    expect(row?.evidence).toHaveLength(2);
    const red = judgements.filter(({ verdict, restsOn }) => verdict === 'fail' && restsOn === undefined);
    const ownRed = red
      .map(({ check }) => check)
      .filter((check) => !check.startsWith('cache-key.reproducible-offline.'));
    expect(ownRed).toEqual(['cache-key.deterministic']);
  });

  it('tenant-in-key fails the rows about tenants', async () => {
    const seam = seamOf((text, headers) =>
      sha(right(text) + (headers['tenant'] ?? '') + (headers['x-tenant-id'] ?? '')),
    );
    const result = await run(probeOf(seam));
    const { judgements } = result;
    expect(checks(judgements, 'fail')).toEqual(['excludes-transport', 'not-a-security-boundary.same-key']);
    expect(shownBy(result, 'excludes-transport')).toEqual(['plain', 'x-tenant-id']);
    expect(shownBy(result, 'not-a-security-boundary.same-key')).toEqual(['plain', 'as the second tenant']);
    expect(judgements.find(({ check }) => check.endsWith('transport'))?.diagnosis?.code).toBe('tenant-in-key');
  });

  it.each([
    ['tenant', ['not-a-security-boundary.same-key']],
    ['x-tenant-id', ['excludes-transport']],
    ['cookie', ['excludes-transport']],
  ])('a key that %s alone changes is red once', async (header, red) => {
    const probe = probeOf(seamOf((text, headers) => sha(right(text) + (headers[header] ?? ''))));
    const rows = [excludesTransport, notASecurityBoundary];
    const driven = rows.map(async (scenario): Promise<Driven> => [scenario, await recordedBy(scenario, probe)]);
    expect(settled(...(await Promise.all(driven))).red).toEqual(red.map((row) => `cache-key.${row}`));
  });

  it('messages in an order that no rule of the catalogue knows fail the row about it, with that cause', async () => {
    const seam = over((fields) => ({
      ...fields,
      messages: messages(fields)
        .map((message) => ({ message, text: jcs(message['content']) }))
        .toSorted((a, b) => a.text.length - b.text.length || (a.text < b.text ? -1 : 1))
        .map(({ message }) => message),
    }));
    const result = await run(probeOf(seam));
    const { judgements } = result;
    expect(shownBy(result, 'preserves-message-order')).toEqual(['b, then a', 'a, then b']);
    expect(checks(judgements, 'fail')).toEqual([...both, 'preserves-message-order']);
    expect(judgements.find(({ check }) => check.endsWith('message-order'))).toMatchObject({
      expected: 'different keys for "b, then a" and "a, then b"',
      diagnosis: { code: 'messages-reordered' },
    });
    const others = judgements.filter(({ verdict, restsOn }) => verdict === 'inconclusive' && restsOn !== undefined);
    expect(new Set(others.map(({ restsOn }) => restsOn))).toEqual(new Set(['cache-key.reproducible-offline']));
  });

  it.each(['name', 'toolCallId'])('a key that is wrong where a message has a %s fails one row beside', async (name) => {
    const { judgements } = await run(
      probeOf(seamOf((text) => sha(right(text) + (messages(fieldsOf(text)).some((each) => name in each) ? 'x' : '')))),
    );
    expect(checks(judgements, 'fail')).toEqual([...both, 'omits-absent']);
  });

  it('every third key that is another one is no request id', async () => {
    for (const start of [0, 1, 2]) {
      let asked = start;
      const seam = seamOf((text) => sha(right(text) + ((asked += 1) % 3 === 0 ? 'x' : '')));
      const { judgements } = await run(probeOf(seam), { ...options, vectors: 0 });
      const codes = judgements.flatMap(({ diagnosis }) => diagnosis?.code ?? []);
      expect(codes).toContain('salted');
      expect(codes).not.toContain('request-id-in-key');
    }
  });

  it('a key into which the length of the body enters is changed by whatever stands beside the fields', async () => {
    const { judgements } = await run(probeOf(seamOf((text) => sha(right(text) + String(text.length)))));
    const row = judgements.find(({ check }) => check.endsWith('excludes-non-recipe-fields'));
    expect(row).toMatchObject({ verdict: 'fail', diagnosis: { code: 'extra-field-included' } });
    expect(row?.diagnosis?.message).toContain('whatever stands beside');
  });

  it('request-id-in-key is told from a salt', async () => {
    const seam = seamOf((text, headers) => sha(right(text) + (headers['x-request-id'] ?? String((count += 1)))));
    const result = await run(probeOf(seam));
    expect(result.judgements.find(({ check }) => check.endsWith('transport'))).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'request-id-in-key' },
    });
    const shown = ['plain', 'plain again', 'x-request-id', 'x-request-id twice'];
    expect(shownBy(result, 'excludes-transport')).toEqual(shown);
  });

  it('salted fails deterministic', async () => {
    const { judgements } = await run(probeOf(seamOf((text) => sha(right(text) + String((count += 1))))));
    const failed = judgements.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ check, restsOn }) => [check, restsOn])).toEqual([
      ...both.map((check) => [`cache-key.${check}`, 'cache-key.deterministic']),
      ['cache-key.deterministic', undefined],
    ]);
  });

  it('a key that is another one from the third time on is no request id', async () => {
    const times = new Map<string, number>();
    const seam = seamOf((text) => {
      times.set(text, (times.get(text) ?? 0) + 1);
      return (times.get(text) ?? 0) > 2 ? sha(`later ${text}`) : sha(right(text));
    });
    const { judgements } = await run(probeOf(seam));
    const codes = judgements.flatMap(({ diagnosis }) => diagnosis?.code ?? []);
    expect(codes).toContain('salted');
    expect(codes).not.toContain('request-id-in-key');
  });

  it('a key for a lone surrogate fails that row alone', async () => {
    const seam = seamOf((text) => {
      fieldsOf(text);
      return sha(jcs(ordered(fieldsOf(repaired(text)))));
    });
    const { judgements } = await run(probeOf(seam));
    expect(checks(judgements, 'fail')).toEqual(['rejects-non-json-values']);
    expect(judgements.find(({ verdict }) => verdict === 'fail')?.diagnosis?.code).toBe(
      'utf8-replacement+number-without-form',
    );
  });

  it('a number beyond a double that is left out is no mistake about numbers in range', async () => {
    const seam = over((fields) =>
      Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value !== 'number' || isFinite(value))),
    );
    const { judgements } = await run(probeOf(seam));
    expect(checks(judgements, 'fail')).toEqual(['rejects-non-json-values']);
    expect(judgements.find(({ verdict }) => verdict === 'fail')?.diagnosis?.code ?? '').not.toContain('sampling');
  });

  it('a 500 for malformed requests fails that row alone', async () => {
    const inner = seamOf((text) => sha(right(text)));
    const seam: Seam = (text, headers) => {
      const answer = inner(text, headers);
      return answer?.status === 400 ? { status: 500, body: {} } : answer;
    };
    const { judgements } = await run(probeOf(seam));
    expect(checks(judgements, 'fail')).toEqual(['rejects-malformed']);
  });
});

describe('two hosts', () => {
  it('names the one that departs', async () => {
    const good = seamOf((text) => sha(right(text)));
    const { judgements } = await run(
      probeOf(
        good,
        seamOf((text) => sha(ascii(right(text)))),
      ),
    );
    const parity = judgements.find(({ check }) => check.endsWith('parity'));
    expect(parity).toMatchObject({ verdict: 'fail', diagnosis: { code: 'ascii-escaped' } });
    expect(parity?.diagnosis?.message).toContain('the second host departs');
  });

  it('must not leave out a temperature of 0', async () => {
    const dropping = seamOf((text) => sha(right(text.replace(',"temperature":0}', '}'))));
    const { judgements } = await run(
      probeOf(
        seamOf((text) => sha(right(text))),
        dropping,
      ),
    );
    const [parity, ...others] = judgements.filter(({ verdict }) => verdict === 'fail');
    expect(others).toEqual([]);
    expect(parity?.diagnosis?.message).toContain('the second host departs');
  });

  it('must agree on an explicit empty list of tools', async () => {
    const kept = seamOf((text) =>
      sha(jcs(text.includes('"tools":[]') ? { ...fieldsOf(text) } : ordered(fieldsOf(text)))),
    );
    const { judgements } = await run(
      probeOf(
        seamOf((text) => sha(right(text))),
        kept,
      ),
    );
    expect(checks(judgements, 'fail')).toEqual(['cross-host-parity']);
  });
});

describe('a seam that proves nothing', () => {
  const vacuous: readonly (readonly [string, Seam])[] = [
    ['one key for everything', () => ({ status: 200, body: { cacheKey: sha('constant') } })],
    ['a random key', () => ({ status: 200, body: { cacheKey: sha(String(Math.random())) } })],
    ['the request itself', (text) => ({ status: 200, body: { cacheKey: text } })],
    ['an empty object', () => ({ status: 200, body: {} })],
    ['always 400', () => ({ status: 400, body: { error: 'x', message: 'y' } })],
    ['always 500', () => ({ status: 500, body: {} })],
    ['always 401', () => ({ status: 401, body: {} })],
    ['no answer', () => undefined],
  ];

  it.each(vacuous)('%s passes no row that tells hosts apart', async (_name, seam) => {
    const { judgements } = await run(probeOf(seam));
    expect(checks(judgements, 'pass')).toEqual([]);
  });
});

it('a host that answers every request with the key of the first is named in each row that is red', async () => {
  let first: string | undefined;
  const seam = seamOf((text) => {
    const own = sha(right(text));
    return (first ??= own);
  });
  const { judgements } = await run(probeOf(seam));
  const red = judgements.filter(({ verdict }) => verdict === 'fail');
  expect(red.map(({ diagnosis }) => diagnosis?.code)).toEqual(['keys-shared', 'keys-shared', 'keys-shared']);
});

describe('a host that cannot be observed to the end', () => {
  it('is inconclusive, not wrong', async () => {
    let left = 40;
    const good = seamOf((text) => sha(right(text)));
    const { judgements } = await run(probeOf((text, headers) => ((left -= 1) > 0 ? good(text, headers) : undefined)));
    expect(checks(judgements, 'fail')).toEqual([]);
    expect(checks(judgements, 'inconclusive')).toContain('reproducible-offline.generated');
  });
});

describe('the later recipe', () => {
  it('is passed by its own host and observed by name', async () => {
    const names = [...fieldNames, 'maxOutputTokens', 'seed', 'stop', 'safetySettings'];
    const later = seamOf((text) => {
      const { provider, model, ...request } = ordered(fieldsOf(text, names));
      return sha(jcs({ recipe: 'openwop-semantic-request-v2', provider, model, request }));
    });
    const { judgements, observations } = await run(probeOf(later), { ...options, recipe: 'rfc-0150' });
    expect(checks(judgements, 'fail')).toEqual([]);
    expect(cacheKeyPortable.recipeObserved?.(observations)).toBe('rfc-0150');
    const first = await run(probeOf(later));
    expect(first.judgements.find(({ check }) => check.endsWith('golden'))?.diagnosis?.code).toBe('recipe-rfc-0150');
  });
});
