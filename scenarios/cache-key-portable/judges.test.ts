import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { answered as answeredWith, handleOf, probeOf } from '../../test/answers.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { computeKey } from '../../src/cache-key/index.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import type { Everything, Scenario, ScenarioOptions } from '../../src/runner/scenario.ts';
import type { Answers } from './answers.ts';
import { crossHostParity } from './cross-host-parity.ts';
import { deterministic } from './deterministic.ts';
import { everyLlmNode } from './every-llm-node.ts';
import { judgeDigest } from './digest-rows.ts';
import { judgeInvariance } from './exclusions.ts';
import { lowercaseHex } from './lowercase-hex.ts';
import { notASecurityBoundary } from './not-a-security-boundary.ts';
import type { KeyAnswered, KeyObservation, Part, RecordedKey } from './observation.ts';
import { rejectsMalformed } from './rejections.ts';
import { reproducibleOffline } from './reproducible-offline.ts';
import { requestText, withContent, withSchema } from './requests.ts';

const options: ScenarioOptions = { seed: 1, vectors: 1, forks: 1, crash: 'quick', recipe: 'rfc-0041', volatile: [] };

function rightKey(request: string): string {
  const result = computeKey(request, 'rfc-0041');
  return result.ok ? result.cacheKey : '';
}

let count = 0;

/** A hand-made observation; the right key where no answer is given. */
function seen(name: string, part: Part, request: string, answer?: KeyAnswered): RecordedKey {
  count += 1;
  const given = answer ?? { kind: 'key', key: rightKey(request) };
  return { id: `o${count}`, type: 'key', exchanges: [], name, part, request, answer: given };
}

const key = (text: string): KeyAnswered => ({ kind: 'key', key: text });
const refused = (status: number): KeyAnswered => ({ kind: 'refused', status });
const failure: KeyAnswered = { kind: 'failure', reason: 'timeout' };
const other = createHash('sha256').update('other').digest('hex');
const plain = requestText();
const second = requestText({ model: '"claude-3"' });
const controls = (): readonly RecordedKey[] => [seen('plain', 'control', plain), seen('two', 'control', second)];
const stable = (): readonly RecordedKey[] => [
  seen('plain', 'control', plain),
  seen('another model', 'control', second),
  seen('plain again', 'control', plain),
];

/** The answers of a host with a recipe of its own, whose digests are so long. */
const ofVendor = (length?: number): readonly RecordedKey[] =>
  stable().map((each) => {
    const digest = createHash('sha512').update(each.request).digest('base64');
    return { ...each, answer: key(`acme:${digest.slice(0, length)}`) };
  });

const answersOf = (...keys: readonly RecordedKey[]): Answers => ({ keys, cutShort: undefined, again: [] });

function judgeWith(
  scenario: Scenario | undefined,
  observations: readonly (Observation & { readonly id: string })[],
  { at = 0, given = options, everything }: { at?: number; given?: ScenarioOptions; everything?: Everything } = {},
): Judgement {
  const judgement = scenario?.judge(observations, given, everything)[at];
  if (judgement === undefined) throw new Error('no judgement');
  return judgement;
}

const upper = (each: RecordedKey): RecordedKey => ({ ...each, answer: key(rightKey(each.request).toUpperCase()) });

const answered = (answer: (request: string) => KeyAnswered): readonly RecordedKey[] =>
  controls().map((each) => ({ ...each, answer: answer(each.request) }));

const reproducible = (observations: readonly (Observation & { readonly id: string })[], vectors = 1): Judgement =>
  judgeWith(reproducibleOffline, observations, { at: 1, given: { ...options, vectors } });

const rejected = (...probes: readonly RecordedKey[]): Judgement =>
  judgeWith(rejectsMalformed, [...stable(), ...probes]);

const probed = (answer: KeyAnswered): Judgement => rejected(seen('model missing', 'probe', '{}', answer));

const recipes = (names: readonly [string | null, string | null]): Observation & { readonly id: string } =>
  Object.assign({ id: 'o0', type: 'recipes', exchanges: [] }, { first: names[0], second: names[1], unread: null });

const onB = (each: KeyObservation & { readonly id: string }): RecordedKey => ({ ...each, secondHost: true });

const turn = (
  tenant: string,
  staged: boolean,
  valid: boolean | null,
  by?: string,
): Observation & { readonly id: string } => {
  count += 1;
  const note = by === undefined ? '' : `,"note":"staged for the ${by} tenant"`;
  const output = valid === null ? '{}' : `{"output":{"valid":${String(valid)}${note}}}`;
  return Object.assign(
    { id: `o${count}`, type: 'tenant-run', exchanges: [] },
    { tenant, staged, problem: null, output },
  );
};

const responses = (...runs: readonly (Observation & { readonly id: string })[]): string | undefined =>
  notASecurityBoundary.judge(runs, options)[1]?.verdict;

const node = (source: string, replay: string, fresh: string): Observation & { readonly id: string } =>
  Object.assign(
    { id: 'o1', type: 'llm-node', exchanges: [] },
    { fixture: 'f', nodeId: 'n', kind: 'core.ai.chat', marks: ['one', 'two'], source, replay, fresh },
  );

describe('judgeDigest', () => {
  const id = 'cache-key.jcs-numbers';
  const hazard = withSchema('{"const":1.0}');
  const judge = (probes: readonly RecordedKey[], before = controls()): Judgement =>
    judgementOf(id, judgeDigest(answersOf(...before, ...probes), { id, recipe: 'rfc-0041' }));

  it('passes right keys, with the evidence', () => {
    const judgement = judge([seen('1.0', 'probe', hazard)]);
    expect(judgement.verdict).toBe('pass');
    expect(judgement.evidence).toHaveLength(3);
  });

  it("fails a wrong rule of the row's own, and names it", () => {
    const canonical = computeKey(hazard, 'rfc-0041');
    const text = canonical.ok ? canonical.canonical.replace('"const":1', '"const":1.0') : '';
    const wrong = seen('1.0', 'probe', hazard, key(createHash('sha256').update(text).digest('hex')));
    expect(judge([wrong])).toMatchObject({ verdict: 'fail', diagnosis: { code: 'number-text' } });
    expect(judge([wrong]).evidence[0]).toBe(wrong.id);
  });

  it('fails an unexplained key when plain requests get right ones', () => {
    expect(judge([seen('1.0', 'probe', hazard, key(other))])).toMatchObject({ verdict: 'fail' });
  });

  it('fails a refusal of a valid request, and leaves one about something else open', () => {
    expect(judge([seen('1.0', 'probe', hazard, refused(400))])).toMatchObject({
      verdict: 'fail',
      restsOn: 'cache-key.reproducible-offline',
    });
    expect(judge([seen('1.0', 'probe', hazard, refused(429))]).verdict).toBe('inconclusive');
    expect(judge([seen('1.0', 'probe', hazard, failure)]).verdict).toBe('inconclusive');
  });

  it('shows nothing where all that it asks for was refused, as a host may', () => {
    const [noncharacter, nul] = [withContent('"\uffff"'), withContent(String.raw`"\u0000"`)];
    const refusals = [noncharacter, nul].map((request) => seen('odd', 'probe', request, refused(400)));
    const judgement = judge(refusals);
    expect(judgement.verdict).toBe('inconclusive');
    expect(judgement.reason).toContain('all 2 requests of this row were refused');
    expect(judge([...refusals, seen('1.0', 'probe', hazard)]).verdict).toBe('pass');
    expect(judge([seen('odd', 'probe', nul, key(other))]).verdict).toBe('fail');
    const more = seen('every field', 'control', requestText({ topK: '40' }), refused(400));
    expect(judge([seen('1.0', 'probe', hazard)], [...controls(), more]).verdict).toBe('pass');
  });

  it('leaves the mistake of another row to it', () => {
    const judgement = judge([upper(seen('1.0', 'probe', hazard))], controls().map(upper));
    expect(judgement).toMatchObject({ verdict: 'pass' });
    expect(judgement.reason).toContain('uppercase-hex');
  });

  it('fails one key for messages in two orders, but not where the host does not heed what was swapped', () => {
    const swaps = [{ pair: ['ba', 'ab'], heeded: 'aa' } as const];
    const swapped = (heeded: string): Judgement => {
      const keys = [
        seen('ba', 'probe', requestText({ messages: '[2,1]' }), key(other)),
        seen('ab', 'probe', requestText({ messages: '[1,2]' }), key(other)),
        seen('aa', 'probe', requestText({ messages: '[1,1]' }), key(heeded)),
      ];
      const wrong = controls().map((each) => ({ ...each, answer: key(each.request.length.toString(16).repeat(32)) }));
      return judgementOf(id, judgeDigest(answersOf(...wrong, ...keys), { id, recipe: 'rfc-0041', swaps }));
    };
    expect(swapped('0'.repeat(64))).toMatchObject({ verdict: 'fail', diagnosis: { code: 'messages-reordered' } });
    expect(swapped(other)).toMatchObject({
      verdict: 'inconclusive',
      restsOn: 'cache-key.reproducible-offline',
    });
  });

  it('is inconclusive where plain requests get no key, one key, or unexplained keys', () => {
    const probes = [seen('1.0', 'probe', hazard)];
    expect(
      judge(
        probes,
        answered(() => refused(500)),
      ).verdict,
    ).toBe('inconclusive');
    expect(
      judge(
        probes,
        answered(() => key(other)),
      ).verdict,
    ).toBe('inconclusive');
    expect(
      judge(
        probes,
        answered((request) => key(createHash('sha256').update(request).digest('hex'))),
      ).verdict,
    ).toBe('inconclusive');
    expect(judge(probes, []).verdict).toBe('inconclusive');
  });
});

describe('judgeInvariance', () => {
  const row = { expected: 'e', diagnose: () => ({ code: 'x', message: 'y' }) };
  const judge = (...keys: readonly RecordedKey[]): Judgement =>
    judgementOf('c', judgeInvariance(answersOf(...keys), row));

  it('passes, fails and stays open', () => {
    expect(judge(...stable(), seen('v', 'probe', plain)).verdict).toBe('pass');
    const wrong = judge(...stable(), seen('v', 'probe', plain, key(other)));
    expect(wrong).toMatchObject({ verdict: 'fail', actual: 'another key with "v"', diagnosis: { code: 'x' } });
    expect(wrong.steps).toEqual(wrong.evidence?.toReversed());
    expect(judge(...stable(), seen('v', 'probe', plain, failure)).verdict).toBe('inconclusive');
    expect(judge(seen('v', 'probe', plain)).verdict).toBe('inconclusive');
  });

  it('is open where the host refuses what it need not take, and says what to do', () => {
    const fields = { expected: 'one key', takes: 'take them', diagnose: () => undefined };
    const of = (...probes: readonly RecordedKey[]) => judgeInvariance(answersOf(...stable(), ...probes), fields);
    const [one, two] = ['a', 'b'].map((name) => seen(name, 'probe', requestText({ [name]: '1' }), refused(422)));
    const kept = seen('c', 'probe', requestText({ c: '1' }));
    expect(of(kept).kind).toBe('pass');
    if (one === undefined || two === undefined) throw new Error('no probes');
    expect(of(one, two, kept)).toMatchObject({
      kind: 'undecided',
      reason: '"a" got no key: refused with 422, and 1 more: what is refused shows nothing of the key: take them',
      remedies: [{ step: 'take them' }],
    });
    expect(of(one, seen('d', 'probe', requestText({ d: '1' }), key(other))).kind).toBe('fail');
  });

  it('lets a host refuse what it may refuse for a header', () => {
    const foreign = (status: number): RecordedKey => ({
      ...seen('x-tenant-id', 'probe', plain, refused(status)),
      mayRefuse: true,
    });
    const guarded = judge(...stable(), foreign(403), seen('v', 'probe', plain));
    expect(guarded).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('"x-tenant-id" got no key') as string,
    });
    expect(judge(...stable(), foreign(503)).verdict).toBe('inconclusive');
    expect(judge(...stable(), seen('v', 'probe', plain, refused(403))).verdict).toBe('inconclusive');
    expect(judge(...stable(), foreign(403), seen('v', 'probe', plain, key(other))).verdict).toBe('fail');
  });

  it('rests on the row about the same request where the variation alone did not change it', () => {
    const judgeAgain = (again: string, ...more: readonly RecordedKey[]): Judgement => {
      const keys = [...stable(), seen('v', 'probe', plain, key(other)), ...more];
      const repeated = [seen('v', 'again', plain, key(again))];
      return judgementOf('c', judgeInvariance({ ...answersOf(...keys), again: repeated }, row));
    };
    const byItself = { verdict: 'fail', restsOn: 'cache-key.deterministic', diagnosis: { code: 'salted' } };
    expect(judgeAgain(rightKey(plain))).toMatchObject(byItself);
    expect(judgeAgain(rightKey(second))).toMatchObject(byItself);
    expect(judgeAgain(other).restsOn).toBeUndefined();
    const lasting = judgeAgain(rightKey(plain), seen('w', 'probe', plain, key(other)));
    expect(lasting).toMatchObject({ verdict: 'fail', actual: 'another key with "w"' });
    expect(lasting.restsOn).toBeUndefined();
  });

  it('proves nothing on a host that never tells requests apart, or always does', () => {
    const one = stable().map((each) => ({ ...each, answer: key(other) }));
    const each = stable().map((control, index) => ({
      ...control,
      answer: key(createHash('md5').update(String(index)).digest('hex')),
    }));
    expect(judge(...one, seen('v', 'probe', plain, key(other))).verdict).toBe('inconclusive');
    expect(judge(...each, seen('v', 'probe', plain, key(other))).verdict).toBe('inconclusive');
  });
});

describe('reproducible-offline.generated', () => {
  it('passes, and reports the smallest wrong request first when it fails', () => {
    expect(reproducible([seen('g', 'generated', plain)]).verdict).toBe('pass');
    const shrunk = seen('smallest wrong request', 'shrunk', second, key(other));
    const failed = reproducible([seen('g', 'generated', plain, key(other)), shrunk]);
    expect(failed).toMatchObject({ verdict: 'fail', diagnosis: { code: 'unexplained' } });
    expect(failed.reason).toContain(second);
    expect(failed.evidence[0]).toBe(shrunk.id);
  });

  it('names no rule that a wrong key of the run refutes', () => {
    const trimmed = seen('t', 'generated', withContent('" a "'), key(rightKey(withContent('"a"'))));
    const rule = (...more: readonly RecordedKey[]): string | undefined =>
      reproducible([trimmed, ...more], 1).diagnosis?.code;
    expect(rule(seen('g', 'generated', plain))).toBe('content-trimmed');
    expect(rule(seen('g', 'generated', plain, key(other)), seen('h', 'generated', second))).toBe('unexplained');
    expect(rule(seen('smallest wrong request', 'shrunk', second, key(other)))).toBe('unexplained');
    const ofAnother = requestText({ provider: '"google"' });
    expect(rule(seen('g', 'generated', ofAnother), seen('s', 'shrunk', ofAnother, key(other)))).toBe('unexplained');
  });

  it('does not count what a host may refuse, and says so', () => {
    const unknown = seen('g', 'generated', requestText({ provider: '"google"' }), refused(400));
    const empty = seen('e', 'generated', withContent('""'), refused(400));
    const passed = reproducible([seen('g', 'generated', plain), unknown, empty], 3);
    expect(passed.verdict).toBe('pass');
    expect(passed.reason).toContain('2 of 3 requests');
    expect(reproducible([unknown]).verdict).toBe('inconclusive');
    expect(reproducible([empty]).verdict).toBe('inconclusive');
    expect(reproducible([seen('g', 'generated', plain), { ...unknown, answer: key(other) }]).verdict).toBe('fail');
  });

  it('tells a missing answer from a wrong one', () => {
    expect(reproducible([seen('g', 'generated', plain, failure)]).verdict).toBe('inconclusive');
    expect(reproducible([seen('g', 'generated', plain, refused(503))]).verdict).toBe('inconclusive');
    expect(reproducible([seen('g', 'generated', plain)], 2).verdict).toBe('inconclusive');
    expect(reproducible([]).verdict).toBe('inconclusive');
    expect(reproducible([seen('g', 'generated', plain, refused(500))])).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'refused' },
    });
    expect(reproducible([], 0).verdict).toBe('not-applicable');
  });
});

describe('a seam that gives no key at all', () => {
  const none: KeyAnswered = { kind: 'no-key', status: 200, why: 'x' };

  it('fails the row about vectors, on which the others rest', () => {
    const vectors = [seen('v', 'golden', plain, none), seen('g', 'generated', plain, none)];
    expect(judgeWith(reproducibleOffline, vectors)).toMatchObject({ verdict: 'fail' });
    expect(judgeWith(reproducibleOffline, vectors)).not.toHaveProperty('restsOn');
    expect(reproducible(vectors)).toMatchObject({ verdict: 'fail', diagnosis: { code: 'refused' } });
    const open = { verdict: 'inconclusive', restsOn: 'cache-key.reproducible-offline' };
    expect(
      judgeWith(
        deterministic,
        answered(() => none),
        { everything: [] },
      ),
    ).toMatchObject(open);
    const problem = { id: 'o1', type: 'problem', exchanges: [], reason: 'no key', keyless: true };
    expect(judgeWith(everyLlmNode, [problem])).toMatchObject(open);
  });
});

describe('rejects-malformed', () => {
  it('wants a 4xx, and valid siblings that are answered', () => {
    expect(probed(refused(422)).verdict).toBe('pass');
    expect(probed(refused(500)).verdict).toBe('fail');
    expect(probed({ kind: 'no-key', status: 200, why: 'x' }).verdict).toBe('fail');
    expect(probed({ kind: 'refused', status: 400, key: other })).toMatchObject({
      verdict: 'fail',
      actual: expect.stringContaining('refused with 400, and the key "'),
    });
    expect(probed(refused(503)).verdict).toBe('inconclusive');
    const dead = stable().map((each) => ({ ...each, answer: refused(400) }));
    expect(judgeWith(rejectsMalformed, [...dead, seen('p', 'probe', '{}', refused(400))]).verdict).toBe('inconclusive');
  });

  it('takes the digests of a recipe of the host for keys', () => {
    const probes = seen('model missing', 'probe', '{}', refused(400));
    expect(judgeWith(rejectsMalformed, [...ofVendor(), probes]).verdict).toBe('pass');
    expect(judgeWith(rejectsMalformed, [...ofVendor(8), probes]).verdict).toBe('inconclusive');
  });

  it('rests on the row about bodies where the host stumbles only over those that it cannot read', () => {
    const owner = 'fork.rejects-malformed-body';
    const unread = seen('not JSON', 'probe', '{"provider":', refused(500));
    const withKey = seen('not JSON', 'probe', '{', { kind: 'refused', status: 500, key: other });
    expect(rejected(unread, seen('model missing', 'probe', '{}', refused(400))).restsOn).toBe(owner);
    expect(rejected(seen('a string', 'probe', '"hello"', refused(500))).restsOn).toBe(owner);
    expect(rejected(unread, seen('model missing', 'probe', '{}', refused(500))).restsOn).toBeUndefined();
    expect(rejected(withKey).restsOn).toBeUndefined();
  });
});

describe('cross-host-parity', () => {
  it('passes, fails and does not apply', () => {
    const same: readonly [null, null] = [null, null];
    expect(judgeWith(crossHostParity, [recipes(same), ...stable(), ...stable().map(onB)]).verdict).toBe('pass');
    const pair = [seen('p', 'probe', plain), onB(seen('p', 'probe', plain, key(other)))];
    expect(judgeWith(crossHostParity, [recipes(same), ...stable(), ...stable().map(onB), ...pair]).verdict).toBe(
      'fail',
    );
    const named: readonly [string, string] = ['spec-rfc-0041', 'x-host-acme-one'];
    expect(judgeWith(crossHostParity, [recipes(named), ...stable(), ...stable().map(onB)]).verdict).toBe(
      'not-applicable',
    );
    expect(judgeWith(crossHostParity, [recipes(same), ...stable()]).verdict).toBe('inconclusive');
    expect(judgeWith(crossHostParity, []).verdict).toBe('inconclusive');
  });
});

describe('not-a-security-boundary, responses', () => {
  it('passes, fails and stays open', () => {
    const reached = turn('second', false, false);
    expect(responses(reached, turn('first', true, true), turn('second', false, false))).toBe('pass');
    expect(responses(reached, turn('first', true, false, 'second'), turn('second', false, false))).toBe('fail');
    expect(responses(reached, turn('first', true, true), turn('second', false, true, 'first'))).toBe('fail');
    expect(responses(turn('second', false, true), turn('first', true, true), turn('second', false, true))).toBe(
      'inconclusive',
    );
    expect(responses(reached, turn('first', true, null), turn('second', false, false))).toBe('inconclusive');
    expect(responses(reached)).toBe('inconclusive');
  });

  it('tells a tenant that lacks the workflow to seed it', () => {
    const lacking = { ...turn('second', false, null), problem: 'answered with 404', answered: 404 };
    expect(judgeWith(notASecurityBoundary, [lacking], { at: 1 })).toMatchObject({
      verdict: 'inconclusive',
      remedies: [{ step: 'seed conformance-phase4-replay-divergence for the second tenant' }],
    });
  });

  it('accuses no host whose mock model answers alike whatever is staged', () => {
    const alike = [turn('second', false, false), turn('first', true, false), turn('second', false, false)];
    expect(responses(...alike)).toBe('inconclusive');
    const own = turn('first', true, false, 'first');
    expect(responses(turn('second', false, false, 'second'), own, turn('second', false, false))).toBe('inconclusive');
  });

  it('accuses no host of what an earlier run of the harness staged', () => {
    const reached = turn('second', false, false);
    const last = turn('second', false, false);
    const stale = { ...turn('first', true, false, 'second'), nonce: 'n2' };
    expect(responses(reached, stale, last)).toBe('inconclusive');
    const output = '{"output":{"valid":false,"note":"staged for the second tenant, n2"}}';
    expect(responses(reached, Object.assign(stale, { output }), last)).toBe('fail');
  });
});

describe('every-llm-node', () => {
  it('passes where only a fresh run asks the model', () => {
    expect(judgeWith(everyLlmNode, [node('one', 'one', 'two')]).verdict).toBe('pass');
  });

  it('fails where the replay asks it, and names the node', () => {
    const judgement = judgeWith(everyLlmNode, [node('one', 'two', 'two')]);
    expect(judgement).toMatchObject({ verdict: 'fail', reason: expect.stringContaining('next entry') as string });
    expect(judgement.actual).toContain('n (core.ai.chat)');
  });

  it('is inconclusive where a fresh run shows the same, or nothing is shown', () => {
    expect(judgeWith(everyLlmNode, [node('one', 'one', 'one')]).verdict).toBe('inconclusive');
    expect(judgeWith(everyLlmNode, [node('', '', '')]).verdict).toBe('inconclusive');
    expect(judgeWith(everyLlmNode, [node('one', '', 'two')]).verdict).toBe('inconclusive');
    expect(judgeWith(everyLlmNode, []).verdict).toBe('inconclusive');
    const problem = Object.assign({ id: 'o1', type: 'problem', exchanges: [] }, { reason: 'no seam' });
    expect(judgeWith(everyLlmNode, [problem])).toMatchObject({ verdict: 'inconclusive', reason: 'no seam' });
  });

  it('does not say that a host lacks what it neither advertises nor shows', async () => {
    const probe = probeOf(handleOf(async () => answeredWith(404)));
    const [lacking] = await everyLlmNode.drive(probe, OPTIONS);
    const ids = 'neither conformance-determinism-llm-nodes nor conformance-phase4-replay-divergence';
    expect(lacking).toMatchObject({ reason: `${ids} is advertised or readable: seed one` });
  });
});

const hex = (answer: KeyAnswered): Judgement =>
  judgeWith(lowercaseHex, [...stable(), seen('one', 'control', plain, answer)]);

describe('lowercase-hex', () => {
  it('is a failure where a cacheKey is longer than any key, and open where there is none', () => {
    const none = { kind: 'no-key', status: 200, why: 'w' } as const;
    expect(hex(key(rightKey(plain)))).toMatchObject({ verdict: 'pass' });
    expect(hex({ ...none, characters: 19_200 })).toMatchObject({ verdict: 'fail' });
    expect(hex(none)).toMatchObject({ verdict: 'inconclusive' });
  });
});
