import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Exchange } from '../../src/host/client.ts';
import { readJsonText } from '../../src/host/json.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { settled } from '../../test/settled.ts';
import { document as scenario } from './document.ts';
import { observeDiscovery, type DiscoveryObservation } from './observation.ts';

const complete = { supported: true, llmCacheKeyRecipe: 'spec-rfc-0041', refusalDivergenceEmission: true };
const base = {
  protocolVersion: '1.0',
  supportedEnvelopes: [],
  schemaVersions: {},
  limits: { clarificationRounds: 1, schemaRounds: 1, envelopesPerTurn: 1 },
};

function withModel(executionModel: unknown, more: object = {}): object {
  return { ...base, ...more, multiAgent: { executionModel } };
}

function withRecipe(llmCacheKeyRecipe: unknown, more: object = {}): object {
  return withModel({ supported: true, version: 4, replayDeterminism: { ...complete, llmCacheKeyRecipe } }, more);
}

const good = withRecipe('spec-rfc-0041');

function answered(text: string, status = 200, contentType: string | undefined = 'application/json'): Exchange {
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  return { id: 'x1', kind: 'response', status, headers, text, json: readJsonText(text) };
}

/** The verdicts as the runner would get them: through the stored form of the observation. */
function judge(exchange: Exchange): ReadonlyMap<string, Judgement> {
  const observation = JSON.parse(JSON.stringify(observeDiscovery(exchange))) as DiscoveryObservation;
  const recorded: Recorded<DiscoveryObservation> = { ...observation, id: 'o1' };
  const judgements = scenario.judge([recorded], OPTIONS);
  expect(judgements.map(({ check }) => check)).toEqual(scenario.checks.map(({ id }) => id));
  expect(judgements.every(({ evidence }) => evidence.includes('o1'))).toBe(true);
  return new Map(judgements.map((judgement) => [judgement.check.replace('discovery.', ''), judgement]));
}

function row(name: string, document: unknown): Judgement | undefined {
  return judge(answered(JSON.stringify(document))).get(name);
}

function verdicts(exchange: Exchange): Readonly<Record<string, string>> {
  return Object.fromEntries([...judge(exchange)].map(([name, { verdict }]) => [name, verdict]));
}

describe('a document that is given with a credential alone', () => {
  it('fails the row about reaching it, and is judged by what it says', () => {
    const recorded = [answered('{}', 401), answered(JSON.stringify(good))].map((exchange, index) => ({
      ...observeDiscovery(exchange),
      id: `o${index}`,
    }));
    const judgements = scenario.judge(recorded, OPTIONS);
    expect(judgements.map(({ check, verdict, evidence }) => [check, verdict, evidence[0]])).toEqual(
      expect.arrayContaining([
        ['discovery.reachable', 'fail', 'o0'],
        ['discovery.version-four-complete', 'pass', 'o1'],
      ]),
    );
    expect(judgements.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  });
});

describe('a redirect in the place of the document', () => {
  it('fails the row about reaching it, and is named as one', () => {
    expect(judge(answered('', 308, '')).get('reachable')).toMatchObject({
      verdict: 'fail',
      actual: '308, a redirect, which is not followed',
    });
  });
});

describe('a complete document', () => {
  it('passes every row but the vendor’s, which does not apply', () => {
    expect(verdicts(answered(JSON.stringify(good)))).toEqual({
      reachable: 'pass',
      shape: 'pass',
      'execution-model': 'pass',
      'replay-determinism': 'pass',
      'recipe-identifier': 'pass',
      'version-four-complete': 'pass',
      'vendor-recipe-documented': 'not-applicable',
      'schema.discovery': 'pass',
    });
  });

  it('says where a further family does not fit', () => {
    const retention = { windowSeconds: 3600 };
    expect(row('schema.discovery', { ...good, feedback: { supported: true }, replay: { retention } })?.verdict).toBe(
      'pass',
    );
    expect(row('schema.discovery', { ...good, eventLog: { crossEngineOrdering: { supported: 1 } } })).toMatchObject({
      verdict: 'fail',
      actual: '/eventLog/crossEngineOrdering/supported is 1, not boolean in the discovery document',
    });
  });

  it('passes in the older layout too', () => {
    const { protocolVersion, ...rest } = good as { protocolVersion: string };
    for (const nested of [{ protocolVersion, capabilities: rest }, { capabilities: good }]) {
      expect(verdicts(answered(JSON.stringify(nested)))).toEqual(verdicts(answered(JSON.stringify(good))));
    }
  });

  it('passes with unknown members everywhere but in the closed block', () => {
    const roomy = {
      ...withModel({ supported: true, version: 4, tier: 'experimental', more: {}, replayDeterminism: complete }),
      more: 1,
      limits: { ...base.limits, more: 2 },
    };
    expect(verdicts(answered(JSON.stringify(roomy)))).toEqual(verdicts(answered(JSON.stringify(good))));
  });

  it('of a host below version 4 fails nothing', () => {
    const values = Object.values(verdicts(answered(JSON.stringify(base))));
    expect(values.filter((verdict) => verdict === 'pass')).toHaveLength(3);
    expect(values.filter((verdict) => verdict === 'not-applicable')).toHaveLength(5);
  });
});

describe('no document', () => {
  it.each([
    ['a page', answered('<html>', 200, 'text/html'), 'fail'],
    ['nothing', answered(''), 'fail'],
    ['a list', answered('[]'), 'fail'],
    ['null', answered('null'), 'fail'],
    ['a text', answered('"openwop"'), 'fail'],
    ['a refusal', answered('{"error":"unauthorized","message":"m"}', 401), 'fail'],
    ['an error', answered('{}', 500), 'fail'],
    ['too many requests', answered('{"error":"rate_limited","message":"m"}', 429), 'inconclusive'],
    ['a host that is starting', answered('{}', 503), 'inconclusive'],
    ['a gateway page', answered('<html>', 503, 'text/html'), 'inconclusive'],
    ['no such route', answered('{}', 404), 'fail'],
    ['a redirect', answered('', 302, undefined), 'fail'],
    ['another success', answered(JSON.stringify(good), 201), 'fail'],
    ['a deep document', answered('['.repeat(1000)), 'inconclusive'],
    ['silence', { id: 'x1', kind: 'failure', reason: 'timeout', message: 'm' }, 'inconclusive'],
    ['a dead host', { id: 'x1', kind: 'failure', reason: 'refused', message: 'm' }, 'inconclusive'],
  ] as const)('in %s passes nothing', (_, exchange, reachable) => {
    const { reachable: first, ...others } = verdicts(exchange);
    expect(first).toBe(reachable);
    expect(new Set(Object.values(others))).toEqual(new Set(['inconclusive']));
  });

  it('in {} passes nothing', () => {
    expect(Object.values(verdicts(answered('{}')))).not.toContain('pass');
  });

  it('says why, with both sides', () => {
    const judgement = judge(answered('<html>', 200, 'text/html')).get('reachable');
    expect(judgement?.expected).toBe('200 with a JSON object, without credentials');
    expect(judgement?.actual).toMatch(/^200, text\/html: /u);
  });

  it('leaves everything open where nothing was observed', () => {
    const judgements = scenario.judge([], OPTIONS);
    expect(judgements.map(({ verdict }) => verdict)).toEqual(scenario.checks.map(() => 'inconclusive'));
  });

  it('leaves the rows about the document to the row that it can be read', () => {
    const [, ...others] = judge(answered('<html>', 200, 'text/html')).values();
    expect(new Set(others.map(({ restsOn }) => restsOn))).toEqual(new Set(['discovery.reachable']));
  });
});

describe('reachable', () => {
  it.each(['application/json; charset=utf-8', 'application/problem+json', 'APPLICATION/JSON'])(
    'passes plainly for the content type %s',
    (type) => {
      expect(judge(answered(JSON.stringify(good), 200, type)).get('reachable')?.reason).toBeUndefined();
    },
  );

  it.each(['text/plain', 'application/jsonp', ''])('passes with a note for the content type %j', (type) => {
    expect(judge(answered(JSON.stringify(good), 200, type)).get('reachable')).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('content type') as string,
    });
  });

  it('is inconclusive for any other JSON object: it may be any server’s', () => {
    expect(row('reachable', { status: 'ok' })?.verdict).toBe('inconclusive');
  });
});

describe('shape', () => {
  it.each([
    ['no limits', { ...base, limits: undefined }, 'limits'],
    ['null where a block is', { ...base, multiAgent: null }, '/multiAgent'],
    ['a list where a block is', { ...base, multiAgent: [] }, '/multiAgent'],
  ])('fails with %s and says where', (_, document, where) => {
    expect(row('shape', document)).toMatchObject({
      verdict: 'fail',
      actual: expect.stringContaining(where) as string,
    });
  });

  it.each([
    ['a limit in a text', { ...base, limits: { ...base.limits, schemaRounds: '1' } }, '/limits/schemaRounds'],
    ['a limit that is null', { ...base, limits: { ...base.limits, schemaRounds: null } }, '/limits/schemaRounds'],
    ['limits that are null', { ...base, limits: null }, '/limits'],
    ['modes in a text', { ...base, replay: { supported: true, modes: 'replay' } }, '/replay/modes'],
    ['an empty version', { ...base, protocolVersion: '' }, '/protocolVersion'],
    ['a fixture that is no text', { ...base, fixtures: ['a', 1] }, '/fixtures/1'],
    ['a list of extensions', { ...base, extensions: [] }, '/extensions'],
  ])('is not asked about %s, which no document types: the wire contract does', (_, document, where) => {
    expect(row('shape', document)?.verdict).toBe('pass');
    expect(row('schema.discovery', document)).toMatchObject({
      verdict: 'fail',
      actual: expect.stringContaining(where) as string,
    });
  });

  it('takes null for absent where the wire contract alone allows a block', () => {
    const families = { replay: null, fixtures: null, extensions: null, feedback: null, idempotency: null };
    const written = { ...base, ...families, eventLog: { crossEngineOrdering: null }, implementation: { name: null } };
    expect(row('shape', written)?.verdict).toBe('pass');
    expect(row('schema.discovery', written)?.verdict).toBe('pass');
    const replay = { supported: true, modes: ['replay'], retention: null, determinismReport: null };
    expect(row('schema.discovery', { ...base, replay })?.verdict).toBe('pass');
  });

  it('notes where the root and its mirror differ on a further family', () => {
    const mirrored = { ...good, feedback: { supported: true }, capabilities: { feedback: { supported: false } } };
    expect(row('schema.discovery', mirrored)).toMatchObject({
      verdict: 'pass',
      reason: 'the root and its mirror in capabilities differ on feedback; the root was read',
    });
  });

  it('notes where the root and its mirror differ, and reads the root', () => {
    expect(row('shape', { ...good, capabilities: { limits: {}, fixtures: [] } })).toMatchObject({
      verdict: 'pass',
      reason: 'the root and its mirror in capabilities differ on limits; the root was read',
    });
  });

  it('notes nothing where they agree', () => {
    expect(row('shape', { ...good, capabilities: good })).not.toHaveProperty('reason');
  });

  it('keeps its message short, whatever names and numbers of violations the host chooses', () => {
    const stray = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`${n}${'n'.repeat(5000)}`, 1]));
    const executionModel = { supported: true, version: 4, replayDeterminism: { ...complete, ...stray } };
    const judgement = row('shape', withModel(executionModel));
    expect(judgement?.verdict).toBe('fail');
    expect(judgement?.actual?.length).toBeLessThan(2000);
  });
});

function settledOf(document: unknown) {
  return settled([scenario, [{ ...observeDiscovery(answered(JSON.stringify(document))), id: 'o1' }]]);
}

describe('a block that a row of its own judges', () => {
  const [shape, model, block] = ['discovery.shape', 'discovery.execution-model', 'discovery.replay-determinism'];
  const open = { supported: true, version: 3, replayDeterminism: { supported: true, more: 1 } };

  it.each<readonly [string, unknown, string | undefined]>([
    ['a version as text', { supported: true, version: '3' }, model],
    ['no flag', { version: 3 }, model],
    ['a list', [], model],
    ['a member that is not declared', open, block],
  ])('is red there alone: %s', (_, value, owner) => {
    expect(settledOf(withModel(value))).toEqual({ red: [owner], open: [`${shape} <- ${owner}`] });
  });

  it('hides nothing that is wrong elsewhere', () => {
    const { limits: _, ...without } = base;
    const wrong = { ...without, multiAgent: { executionModel: { supported: true, version: '3' } } };
    expect(settledOf(wrong).red).toEqual([shape, model]);
    expect(settledOf({ ...wrong, limits: 1 }).red).toEqual([model, 'schema.discovery']);
    expect(settledOf({ ...base, multiAgent: 3 }).red).toEqual([shape]);
  });
});

describe('execution-model', () => {
  it.each([1, 4, 4.0, 99])('passes with version %j', (version) => {
    expect(row('execution-model', withModel({ supported: false, version }))?.verdict).toBe('pass');
  });

  it.each([0, -1, 4.5, '4', null, true, [4], undefined])('fails with version %j', (version) => {
    expect(row('execution-model', withModel({ supported: true, version }))).toMatchObject({
      verdict: 'fail',
      actual: expect.stringContaining('/multiAgent/executionModel') as string,
    });
  });

  it.each([0, '4', null])('shows the version %j', (version) => {
    const actual = row('execution-model', withModel({ supported: true, version }))?.actual;
    expect(actual).toContain(`/multiAgent/executionModel/version is ${JSON.stringify(version)} and must be `);
  });

  it.each(['true', 1, null, undefined])('fails with supported %j', (supported) => {
    expect(row('execution-model', withModel({ supported, version: 1 }))?.verdict).toBe('fail');
  });

  it.each([null, [], 'yes', 4])('fails where the block is %j', (block) => {
    expect(row('execution-model', withModel(block))?.verdict).toBe('fail');
  });

  it('leaves the block inside to its own row, but sees past a great many mistakes in it', () => {
    const wrong = Object.fromEntries(Array.from({ length: 6000 }, (_, n) => [`n${n}`, n]));
    expect(row('execution-model', withModel({ supported: true, version: 4, replayDeterminism: wrong }))?.verdict).toBe(
      'pass',
    );
    expect(row('execution-model', withModel({ replayDeterminism: wrong, supported: true }))?.verdict).toBe('fail');
  });

  it('does not apply where the block is absent', () => {
    expect(row('execution-model', { ...base, multiAgent: {} })?.verdict).toBe('not-applicable');
  });

  it('does not take an own __proto__ for the block', () => {
    const text = JSON.stringify(base).replace('{', '{"__proto__":{"multiAgent":{"executionModel":{"version":0}}},');
    expect(judge(answered(text)).get('execution-model')?.verdict).toBe('not-applicable');
  });
});

describe('replay-determinism', () => {
  it.each([{ supported: false }, complete])('passes for %j', (replayDeterminism) => {
    const judged = row('replay-determinism', withModel({ supported: true, version: 3, replayDeterminism }));
    expect(judged?.verdict).toBe('pass');
  });

  it.each([
    {},
    { supported: 'true' },
    { supported: true, stray: 1 },
    { supported: true, refusalDivergenceEmission: 'yes' },
    { supported: true, llmCacheKeyRecipe: null },
    true,
    null,
    [],
  ])('fails for %j', (replayDeterminism) => {
    const judged = row('replay-determinism', withModel({ supported: true, version: 4, replayDeterminism }));
    expect(judged?.verdict).toBe('fail');
  });

  it('counts an own __proto__ as a stray member', () => {
    const text = JSON.stringify(good).replace('"replayDeterminism":{', '"replayDeterminism":{"__proto__":{},');
    expect(judge(answered(text)).get('replay-determinism')?.verdict).toBe('fail');
  });

  it('does not apply where the block is absent', () => {
    expect(row('replay-determinism', withModel({ supported: true, version: 1 }))?.verdict).toBe('not-applicable');
  });
});

describe('recipe-identifier', () => {
  it.each(['spec-rfc-0041', 'x-host-acme-v1', 'x-host-a-b'])('passes for %s', (recipe) => {
    expect(row('recipe-identifier', withRecipe(recipe))?.verdict).toBe('pass');
  });

  it.each([
    '',
    'rfc-0041',
    'SPEC-RFC-0041',
    'spec-rfc-0041 ',
    'x-host-acme',
    'x-host-Acme-a',
    null,
    7,
    ['spec-rfc-0041'],
  ])('fails for %j', (recipe) => {
    expect(row('recipe-identifier', withRecipe(recipe))).toMatchObject({
      verdict: 'fail',
      actual: `llmCacheKeyRecipe is ${JSON.stringify(recipe)}`,
    });
  });

  it('does not apply where none is advertised', () => {
    expect(row('recipe-identifier', withRecipe(undefined))?.verdict).toBe('not-applicable');
  });
});

describe('version-four-complete', () => {
  it.each([4, 5])('passes for a complete version %j', (version) => {
    const document = withModel({ supported: true, version, replayDeterminism: complete });
    expect(row('version-four-complete', document)?.verdict).toBe('pass');
  });

  it.each([
    [{ ...complete, supported: false }, 'supported is false'],
    [{ ...complete, supported: 'true' }, 'supported is "true"'],
    [{ ...complete, llmCacheKeyRecipe: undefined }, 'llmCacheKeyRecipe is absent'],
    [{ ...complete, llmCacheKeyRecipe: '' }, 'llmCacheKeyRecipe is ""'],
    [{ ...complete, refusalDivergenceEmission: false }, 'refusalDivergenceEmission is false'],
    [{ ...complete, refusalDivergenceEmission: undefined }, 'refusalDivergenceEmission is absent'],
    [undefined, 'supported is absent'],
    [
      { ...complete, supported: false, llmCacheKeyRecipe: '' },
      'supported is false; replayDeterminism.llmCacheKeyRecipe is ""',
    ],
  ])('fails for %j and names what is wrong', (replayDeterminism, actual) => {
    expect(row('version-four-complete', withModel({ supported: true, version: 4, replayDeterminism }))).toMatchObject({
      verdict: 'fail',
      actual: expect.stringContaining(actual) as string,
    });
  });

  it.each([3, 1, '4', 4.5, null, undefined])('does not apply for version %j', (version) => {
    expect(row('version-four-complete', withModel({ supported: true, version }))?.verdict).toBe('not-applicable');
  });
});

describe('vendor-recipe-documented', () => {
  const recipe = 'x-host-acme-v1';

  it.each([
    ['a member named after it', { extensions: { [recipe]: { hash: 'sha-256', of: ['model'] } } }],
    ['a text that names it', { notes: `${recipe} is SHA-256 over the sorted request` }],
    ['a link beside it', { extensions: { recipeDocumentation: 'https://acme.example/recipe' } }],
    ['a link under its name', { extensions: { 'x-acme-recipes': { [recipe]: 'https://acme.example/recipe' } } }],
    ['a link that names it', { extensions: { 'x-acme': { more: `https://acme.example/${recipe}` } } }],
    ['a description of the cache key', { cache_key: { algorithm: 'sha-256' } }],
    ['a list of recipes', { recipes: [{ id: recipe, algorithm: 'sha-256' }] }],
    ['a formula', { llmCacheKeyRecipeInUse: 'sha256(jcs(request))' }],
    ['a place in the mirror', { capabilities: { llmCacheKey: { algorithm: 'sha-256' } } }],
    ['a text beside another one', { recipes: { 'x-host-acme-v0': 'SHA-1', [recipe]: 'SHA-256 of all' } }],
    ['a text and a link', { recipes: { [recipe]: 'SHA-256 of all, see https://acme.example' } }],
  ])('passes with %s', (_, more) => {
    expect(row('vendor-recipe-documented', withRecipe(recipe, more))?.verdict).toBe('pass');
  });

  it.each([
    ['nothing', {}],
    ['the identifier once more', { capabilities: { llmCacheKeyRecipe: recipe } }],
    ['an empty member', { extensions: { [recipe]: {} } }],
    ['a blank text', { cacheKeyRecipe: '  ' }],
    ['null', { recipes: null }],
    ['a flag', { recipeDocumented: true }],
    ['a list of identifiers', { supportedCacheKeyRecipes: [recipe] }],
    ['a prefix of keys', { cacheKeyPrefix: 'acme' }],
    ['recipes of another kind', { recipes: { cooking: 'pasta' } }],
    ['what is still to be said', { recipes: { [recipe]: 'to be written' } }],
    ['a place for its algorithm', { recipes: [{ id: recipe, algorithm: 'TBD' }] }],
    ['another recipe alone', { extensions: { recipes: { 'x-host-acme-v0': 'SHA-256 of all' } } }],
  ])('fails with %s', (_, more) => {
    expect(row('vendor-recipe-documented', withRecipe(recipe, more))?.verdict).toBe('fail');
  });

  it.each([
    [
      'an algorithm under another name',
      { extensions: { 'x-acme': { llmKey: { algorithm: 'sha256 over the JCS of all' } } } },
    ],
    ['a link to documentation', { extensions: { 'x-acme': { documentation: 'https://acme.example' } } }],
  ])('is open with %s', (_, more) => {
    const judgement = row('vendor-recipe-documented', withRecipe(recipe, more));
    expect(judgement).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('/extensions/x-acme') as string,
    });
  });

  it('is not open with what other keys are, or what the recipe itself is called', () => {
    const hashed = 'x-host-acme-prompt-hash';
    const semantics = { extensions: { 'x-openwop-provable-semantics': { idempotencyKey: 'sha256-nul-jcs' } } };
    expect(row('vendor-recipe-documented', withRecipe(hashed, semantics))?.verdict).toBe('fail');
  });

  it.each(['spec-rfc-0041', 'x-host-acme', undefined, 7])('does not apply to the recipe %j', (other) => {
    expect(row('vendor-recipe-documented', withRecipe(other))?.verdict).toBe('not-applicable');
  });
});

describe('drive', () => {
  it('only looks at the discovery answer that the run has already', async () => {
    const discoveryExchange = answered(JSON.stringify(good));
    const handle = {
      baseUrl: '',
      exchange: () => Promise.reject(new Error('asked')),
      stream: () => Promise.reject(new Error('asked')),
    };
    const probe = {
      host: handle,
      otherTenant: undefined,
      limited: undefined,
      hostB: undefined,
      witness: undefined,
      discoveryExchange,
      discovery: good,
      concurrency: 1,
      timeoutMs: 1,
      signal: new AbortController().signal,
    };
    expect(await scenario.drive(probe, OPTIONS)).toEqual([observeDiscovery(discoveryExchange)]);
  });
});
