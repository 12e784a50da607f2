import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readDiscovery } from './discovery.ts';
import {
  VENDOR_RECIPE,
  always,
  belowVersionFour,
  canonicalRecipe,
  determinismReport,
  executionModel,
  feedback,
  handoffReplay,
  multiRegion,
  noExecutionModel,
  phase4,
  provableSemantics,
  replaySupported,
  runTimeline,
  verificationMode,
} from './gates.ts';

function host(version: unknown, replayDeterminism: unknown, more: object = {}) {
  return readDiscovery({ multiAgent: { executionModel: { supported: true, version, replayDeterminism } }, ...more });
}

const supported = { supported: true };

const withModel = (block: unknown) => readDiscovery({ multiAgent: { executionModel: block } });

describe('what is advertised in a wrong type', () => {
  const replay = (block: unknown) => host(4, supported, { replay: block });
  it.each([
    ['a version as text', phase4, host('4', supported), 'discovery.execution-model'],
    ['a fraction as version', phase4, host(4.5, supported), 'discovery.execution-model'],
    ['a family that is a list', phase4, readDiscovery({ multiAgent: [] }), 'discovery.shape'],
    [
      'a family that is a list, for hosts below four',
      belowVersionFour,
      readDiscovery({ multiAgent: [] }),
      'discovery.shape',
    ],
    [
      'a family that is a text, for hosts without',
      noExecutionModel,
      readDiscovery({ multiAgent: 'x' }),
      'discovery.shape',
    ],
    ['the same, for hosts with it', executionModel, readDiscovery({ multiAgent: 'x' }), 'discovery.shape'],
    ['a version as text, for hosts below four', belowVersionFour, host('3', supported), 'discovery.execution-model'],
    ['a model that is no object', phase4, withModel('yes'), 'discovery.execution-model'],
    ['a model that is null', executionModel, withModel(null), 'discovery.execution-model'],
    ['a flag as text', executionModel, withModel({ supported: 'true', version: 4 }), 'discovery.execution-model'],
    ['the same flag, for hosts without', noExecutionModel, withModel({ supported: 1 }), 'discovery.execution-model'],
    ['a flag of replays as text', phase4, host(4, { supported: 'yes' }), 'discovery.replay-determinism'],
    ['a block of replays that is a list', phase4, host(4, []), 'discovery.replay-determinism'],
    ['a replay flag as text', replaySupported, replay({ supported: 'true' }), 'discovery.shape'],
  ] as const)('rests on the row that says so: %s', (_, gate, discovery, check) => {
    expect(gate(discovery)).toMatchObject({ open: false, restsOn: check });
  });

  it.each([
    ['no model', phase4, readDiscovery({})],
    ['no version', phase4, host(undefined, supported)],
    ['an older version', phase4, host(3, supported)],
    ['no version that there is', phase4, host(0, supported)],
    ['no replay determinism', phase4, host(4, undefined)],
    ['a flag that is false', phase4, host(4, { supported: false })],
    ['a model that is not supported', executionModel, withModel({ supported: false })],
    ['replays that are not supported', replaySupported, replay({ supported: false })],
    ['feedback as text, of which no row speaks', feedback, readDiscovery({ feedback: { supported: 'yes' } })],
  ] as const)('is not what is left out, or said: %s', (_, gate, discovery) => {
    expect(gate(discovery)).not.toHaveProperty('restsOn');
  });
});

describe('always', () => {
  it('is open for an empty document', () => {
    expect(always(readDiscovery({})).open).toBe(true);
  });
});

describe('phase4', () => {
  it.each([4, 4.0, 5, 1e9])('is open for version %j with replayDeterminism.supported', (version) => {
    expect(phase4(host(version, supported))).toEqual({
      open: true,
      because: `/multiAgent/executionModel/version is ${version}`,
    });
  });

  it.each([3, 0, -4, 3.999, 4.5, '4', '5', [4], [5], { 4: 4 }, true, null, undefined])(
    'is closed for version %j, and quotes it',
    (version) => {
      const { open, because } = phase4(host(version, supported));
      expect(open).toBe(false);
      expect(because).toContain(version === undefined ? 'absent' : JSON.stringify(version));
    },
  );

  it.each([undefined, null, {}, [], true, { supported: false }, { supported: 'true' }, { supported: 1 }])(
    'is closed where replayDeterminism is %j',
    (block) => {
      expect(phase4(host(4, block))).toMatchObject({
        open: false,
        because: expect.stringContaining('replayDeterminism/supported') as string,
      });
    },
  );

  it('is closed where no execution model is advertised', () => {
    expect(phase4(readDiscovery({}))).toEqual({
      open: false,
      because: 'multiAgent.executionModel is not advertised',
    });
  });

  it('reads the older layout and names the place', () => {
    const model = { version: 4, replayDeterminism: supported };
    expect(phase4(readDiscovery({ capabilities: { multiAgent: { executionModel: model } } }))).toEqual({
      open: true,
      because: '/capabilities/multiAgent/executionModel/version is 4',
    });
  });

  it('quotes no more than a line of what the host says', () => {
    expect(phase4(host('4'.repeat(1_000_000), supported)).because.length).toBeLessThan(300);
  });
});

describe('canonicalRecipe', () => {
  it.each(['spec-rfc-0041', undefined, 'rfc-0041', 7, 'X-HOST-a-b', 'x-host-a', ''])(
    'is open for the recipe %j: what is misnamed is judged by another row',
    (llmCacheKeyRecipe) => {
      expect(canonicalRecipe(host(4, { ...supported, llmCacheKeyRecipe })).open).toBe(true);
    },
  );

  it('is closed for a vendor recipe, and names it', () => {
    expect(canonicalRecipe(host(4, { ...supported, llmCacheKeyRecipe: 'x-host-acme-v1' }))).toEqual({
      open: false,
      because: 'llmCacheKeyRecipe is "x-host-acme-v1", whose digest cannot be recomputed',
    });
  });

  it('is closed below phase 4 for phase 4’s reason', () => {
    const below = host(3, { ...supported, llmCacheKeyRecipe: 'x-host-acme-v1' });
    expect(canonicalRecipe(below)).toEqual(phase4(below));
  });
});

describe('VENDOR_RECIPE', () => {
  it.each(['x-host-a-b', 'x-host-acme-v1', 'x-host-a1-2-b', 'x-host-a--b', 'x-host-acme-cloud-key-2', 'x-host-a-b-'])(
    'takes %s',
    (name) => {
      expect(VENDOR_RECIPE.test(name)).toBe(true);
    },
  );

  it.each([
    '',
    'x-host-',
    'x-host-acme',
    'x-host-acme-',
    'x-host-acme-1',
    'x-host-1-a',
    'x-host--a-b',
    'x-host-Acme-a',
    'x-host-acme-a_b',
    'x-host-acme-a\n',
    ' x-host-a-b',
    'spec-rfc-0041',
  ])('refuses %j', (name) => {
    expect(VENDOR_RECIPE.test(name)).toBe(false);
  });

  it('agrees with the pattern as the RFC prints it, on every short name', () => {
    const printed = /^x-host-[a-z][a-z0-9-]*-[a-z][a-z0-9-]*$/u;
    const letters = ['a', '0', '-', 'A'];
    let tails = [''];
    for (let length = 0; length < 6; length += 1) {
      tails = tails.flatMap((tail) => letters.map((letter) => tail + letter));
      const wrong = tails.filter((tail) => VENDOR_RECIPE.test(`x-host-${tail}`) !== printed.test(`x-host-${tail}`));
      expect(wrong).toEqual([]);
    }
  });

  it('refuses a very long name in linear time: in quadratic time it would be stopped', () => {
    const text = `x-host-${'a-'.repeat(1_000_000)}!`;
    const matched: unknown = runInNewContext(
      'pattern.test(text)',
      { pattern: VENDOR_RECIPE, text },
      { timeout: 60_000 },
    );
    expect(matched).toBe(false);
  });
});

describe('handoffReplay', () => {
  it('needs both the model and its phase 4, and says which of them is missing', () => {
    expect(handoffReplay(host(4, supported)).open).toBe(true);
    expect(handoffReplay(host(3, supported))).toMatchObject({
      open: false,
      because: expect.stringContaining('version is 3') as string,
    });
    const document = { multiAgent: { executionModel: { supported: false, version: 4, replayDeterminism: supported } } };
    expect(handoffReplay(readDiscovery(document))).toEqual({
      open: false,
      because: '/multiAgent/executionModel/supported is false',
    });
    expect(handoffReplay(readDiscovery({})).open).toBe(false);
  });
});

describe('belowVersionFour', () => {
  it('is open where no execution model is advertised', () => {
    expect(belowVersionFour(readDiscovery({}))).toEqual({
      open: true,
      because: 'multiAgent.executionModel is not advertised',
    });
  });

  it.each([3, 2, 1])('is open for version %j, and quotes it', (version) => {
    expect(belowVersionFour(host(version, supported))).toEqual({
      open: true,
      because: `/multiAgent/executionModel/version is ${version}`,
    });
  });

  it.each([4, 5, 3.5, 0, -4, '3', null, [3], undefined])('is closed for version %j', (version) => {
    expect(belowVersionFour(host(version, supported)).open).toBe(false);
  });
});

const extension = (block: unknown) => ({ extensions: { 'x-openwop-provable-semantics': block } });
const extended = (block: unknown) => readDiscovery(extension(block));

describe('provableSemantics', () => {
  it.each([null, [], true, {}])('is closed for a block %j', (block) => {
    expect(provableSemantics(extended(block)).open).toBe(false);
  });

  it.each([{}, { extensions: null }, { extensions: [] }, { extensions: { other: { supported: true } } }])(
    'is closed for %j, and says what is missing',
    (document) => {
      expect(provableSemantics(readDiscovery(document))).toEqual({
        open: false,
        because: 'extensions/x-openwop-provable-semantics is not advertised',
      });
    },
  );
});

describe('verificationMode', () => {
  it('is open for the modes that are named', () => {
    const discovery = extended({ supported: true, verificationModes: ['warn', 'human-in-loop'] });
    expect(verificationMode('warn')(discovery)).toEqual({
      open: true,
      because: '/extensions/x-openwop-provable-semantics/verificationModes names warn',
    });
    expect(verificationMode('human-in-loop')(discovery).open).toBe(true);
    expect(verificationMode('strict')(discovery).open).toBe(false);
  });

  it('takes the default of a host that names none, which is strict', () => {
    expect(verificationMode('strict')(extended({ supported: true })).open).toBe(true);
    expect(verificationMode('warn')(extended({ supported: true })).open).toBe(false);
  });

  it.each([{ verificationModes: 'strict' }, { verificationModes: [] }, { supported: false }])(
    'is closed for %j',
    (more) => {
      expect(verificationMode('strict')(extended({ supported: true, ...more })).open).toBe(false);
    },
  );
});

function modelGates(model: unknown) {
  const discovery = readDiscovery({ multiAgent: { executionModel: model } });
  return [executionModel(discovery).open, noExecutionModel(discovery).open];
}

describe('executionModel and noExecutionModel', () => {
  it('are open where it is supported, and where it is said not to be', () => {
    expect(modelGates({ supported: true, version: 1 })).toEqual([true, false]);
    expect(modelGates({ supported: false, version: 1 })).toEqual([false, true]);
    expect(modelGates({})).toEqual([false, true]);
    expect([executionModel(readDiscovery({})).open, noExecutionModel(readDiscovery({})).open]).toEqual([false, true]);
  });

  it.each(['true', 1, null, [true]])('decide nothing where supported is %j', (flag) => {
    expect(modelGates({ supported: flag })).toEqual([false, false]);
  });
});

describe.each([
  ['replaySupported', replaySupported, (flag: unknown) => ({ replay: { supported: flag } })],
  ['determinismReport', determinismReport, (flag: unknown) => ({ replay: { determinismReport: { supported: flag } } })],
  ['feedback', feedback, (flag: unknown) => ({ feedback: { supported: flag } })],
  ['runTimeline', runTimeline, (flag: unknown) => ({ extensions: { 'x-openwop-run-timeline': { supported: flag } } })],
  ['provableSemantics', provableSemantics, (flag: unknown) => extension({ supported: flag })],
])('%s', (_, gate, document) => {
  it('is open where the flag is true, at the root or in the mirror', () => {
    expect(gate(readDiscovery(document(true))).open).toBe(true);
    expect(gate(readDiscovery({ capabilities: document(true) })).open).toBe(true);
  });

  it.each([false, 'true', 1, null, undefined, {}])('is closed for %j, and quotes it', (flag) => {
    const { open, because } = gate(readDiscovery(document(flag)));
    expect(open).toBe(false);
    expect(because).toContain(flag === undefined ? 'absent' : JSON.stringify(flag));
  });

  it('is closed where nothing is advertised', () => {
    expect(gate(readDiscovery({})).open).toBe(false);
  });
});

describe('a family', () => {
  it('may be a plain flag', () => {
    expect(determinismReport(readDiscovery({ replay: { determinismReport: true } })).open).toBe(true);
    expect(feedback(readDiscovery({ feedback: true })).open).toBe(true);
    const regions = { idempotency: { multiRegion: true }, eventLog: { crossEngineOrdering: true } };
    expect(multiRegion(readDiscovery(regions)).open).toBe(true);
    expect(feedback(readDiscovery({ feedback: false })).open).toBe(false);
  });
});

function regionGate(one: unknown, other: unknown) {
  const multi = { multiRegion: { supported: one } };
  return multiRegion(readDiscovery({ idempotency: multi, eventLog: { crossEngineOrdering: { supported: other } } }))
    .open;
}

describe('multiRegion', () => {
  it('needs both capabilities (replay.md, Cross-region replay)', () => {
    expect(regionGate(true, true)).toBe(true);
    expect(regionGate(true, false)).toBe(false);
    expect(regionGate(false, true)).toBe(false);
    expect(regionGate('true', true)).toBe(false);
    expect(multiRegion(readDiscovery({})).open).toBe(false);
  });
});
