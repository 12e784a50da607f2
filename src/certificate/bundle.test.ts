import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkReport, GREEN, RED } from '../../test/sample-reports.ts';
import type { Report } from '../contract/report.ts';
import { badgeEndpoint, badgeSvg, judgedText } from './badge.ts';
import { type Bundle, type Known, makeBundle, publicKeyIn, verifyBundle } from './bundle.ts';
import { keyId, seal } from './envelope.ts';
import { makeStatement, type Statement } from './statement.ts';

const DIGEST = 'a'.repeat(64);
const CERTIFIER = { name: 'openwop-conformance', version: '1.2.3', program: 'b'.repeat(64), checks: 'c'.repeat(64) };
const NOW = new Date('2026-06-01T00:00:00.000Z');
const [SIGNER, OTHER] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
const REPORT: Report = { ...RED, excluded: ['discovery'] };

const CERTIFIED = {
  report: REPORT,
  evidenceSha256: DIGEST,
  certifier: CERTIFIER,
  issuedAt: new Date('2026-05-01T00:00:00.000Z'),
  expiresAt: new Date('2026-08-01T00:00:00.000Z'),
};
const STATEMENT = makeStatement(CERTIFIED);
const BUNDLE = makeBundle(STATEMENT, SIGNER.privateKey);
const KNOWN: Known = {
  publicKey: SIGNER.publicKey,
  evidence: { sha256: DIGEST, report: REPORT },
  now: NOW,
  certifier: CERTIFIER,
};

function result(bundle: unknown, known: Known = KNOWN): string {
  const verified = verifyBundle(typeof bundle === 'string' ? bundle : JSON.stringify(bundle), known);
  if (!verified.ok) return `unreadable: ${verified.message}`;
  const wrong = verified.findings.filter(({ kind }) => kind !== 'ok');
  return wrong.length === 0 ? 'verified' : wrong.map(({ kind, message }) => `${kind}: ${message}`).join('\n');
}

/** A statement with one member changed, as a JSON copy. */
function changed(path: string, value: unknown): Statement {
  const copy = structuredClone(STATEMENT) as unknown as Record<string, unknown>;
  const names = path.split('/');
  const last = names.pop() ?? '';
  let at: Record<string, unknown> = copy;
  for (const name of names) at = at[name] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy as unknown as Statement;
}

/** The signed bundle with another payload under its signature, as somebody without the key can make it. */
function forged(statement: unknown): Bundle {
  const payload = Buffer.from(JSON.stringify(statement)).toString('base64');
  return { ...BUNDLE, envelope: { ...BUNDLE.envelope, payload } };
}

/** Another statement, signed with the signer's own key. */
function signed(statement: Statement): Bundle {
  return makeBundle(statement, SIGNER.privateKey);
}

/** Another payload, signed with the signer's own key. */
function sealed(payload: string): Bundle {
  return { ...BUNDLE, envelope: seal(payload, SIGNER.privateKey, SIGNER.publicKey) };
}

function withSignature(signature: object): Bundle {
  const [first] = BUNDLE.envelope.signatures;
  const signatures = [{ ...first, ...signature }] as Bundle['envelope']['signatures'];
  return { ...BUNDLE, envelope: { ...BUNDLE.envelope, signatures } };
}

function pem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

const SIGNATURE = BUNDLE.envelope.signatures[0]?.sig ?? '';
const FLIPPED = `${SIGNATURE.startsWith('A') ? 'B' : 'A'}${SIGNATURE.slice(1)}`;

describe('a certificate', () => {
  it('is verified with the key and the evidence', () => {
    expect(result(BUNDLE)).toBe('verified');
    const verified = verifyBundle(JSON.stringify(BUNDLE), KNOWN);
    expect(verified.ok && verified.statement).toEqual(STATEMENT);
    expect(verified.ok && verified.findings.map(({ message }) => message)).toContain(
      'the evidence shows the same again: 5 checks',
    );
  });

  it('is not wholly verified without one of them', () => {
    const { publicKey: _key, ...withoutKey } = KNOWN;
    expect(result(BUNDLE, withoutKey)).toMatch(/^unknown: it is signed with the key [0-9a-f]{64}: whose that is/u);
    const { evidence: _evidence, ...withoutEvidence } = KNOWN;
    expect(result(BUNDLE, withoutEvidence)).toMatch(/^unknown: its verdicts were not made again/u);
  });

  it('is verified by another build that judges the same, and says so', () => {
    const verified = verifyBundle(JSON.stringify(BUNDLE), { ...KNOWN, certifier: { ...CERTIFIER, version: '2.0.0' } });
    expect(verified.ok && verified.findings.map(({ kind, message }) => `${kind}: ${message}`)).toContain(
      'note: another build certified it: version 1.2.3 (here 2.0.0)',
    );
  });

  const UNSIGNED = 'the signature is not one of the key in the bundle';
  const RUN = 'predicate/run';
  it.each<[name: string, bundle: unknown, says: string, known?: Known]>([
    // What somebody without the key can change.
    ['the verdict', forged(changed(`${RUN}/verdict`, 'conformant')), UNSIGNED],
    ['a bit of the signature', withSignature({ sig: FLIPPED }), UNSIGNED],
    ['no signature', withSignature({ sig: '' }), UNSIGNED],
    ['a signature with blanks', withSignature({ sig: ` ${SIGNATURE}` }), '/envelope/signatures/0/sig is no Base64'],
    ['a signature without its padding', withSignature({ sig: SIGNATURE.replace(/=+$/u, '') }), 'sig is no Base64'],
    [
      'a member of the bundle that stands twice',
      JSON.stringify(BUNDLE).replace('{', '{"bundleVersion":1,'),
      'has a member twice',
    ],
    [
      'a member of the statement that stands twice',
      sealed(JSON.stringify(STATEMENT).replace('"seed":', '"seed":2,"seed":')),
      'the statement: has a member twice',
    ],
    ['the name of the key', withSignature({ keyid: keyId(OTHER.publicKey) }), UNSIGNED],
    ['the key in the bundle', { ...BUNDLE, publicKey: pem(OTHER.publicKey) }, UNSIGNED],
    ['who signed', makeBundle(STATEMENT, OTHER.privateKey), `and not with ${keyId(SIGNER.publicKey)}`],
    [
      'who signed, under the name of the other',
      { ...makeBundle(STATEMENT, OTHER.privateKey), publicKey: pem(SIGNER.publicKey) },
      UNSIGNED,
    ],
    // What somebody with the key may have signed.
    [
      'a verdict that the evidence does not show',
      signed(changed(`${RUN}/verdict`, 'conformant')),
      'shows another verdict',
    ],
    ['a better check', signed(changed(`${RUN}/checks/fork.created`, 'pass')), 'its counts are not those of its checks'],
    ['other options', signed(changed(`${RUN}/options/seed`, 2)), 'shows another options'],
    ['nothing excluded', signed(changed(`${RUN}/excluded`, undefined)), 'shows another excluded'],
    ['a run after it', signed(changed(`${RUN}/startedAt`, '2026-05-02T00:00:00.000Z')), 'its times contradict'],
    ['no time of the run', signed(changed(`${RUN}/startedAt`, 'soon')), 'its times contradict'],
    ['an end before its beginning', signed(changed('predicate/expiresAt', '2026-04-01T00:00:00.000Z')), 'contradict'],
    ['the future', signed(changed('predicate/issuedAt', '2026-07-01T00:00:00.000Z')), 'issued in the future'],
    [
      'other evidence',
      BUNDLE,
      'about other evidence',
      { ...KNOWN, evidence: { sha256: 'd'.repeat(64), report: REPORT } },
    ],
    [
      'evidence that shows something else',
      BUNDLE,
      'shows another',
      { ...KNOWN, evidence: { sha256: DIGEST, report: GREEN } },
    ],
    [
      'evidence that shows one check more',
      BUNDLE,
      'shows another checks',
      {
        ...KNOWN,
        evidence: { sha256: DIGEST, report: { ...REPORT, checks: [...REPORT.checks, checkReport('a.b', 'pass')] } },
      },
    ],
    ['time', BUNDLE, 'it expired', { ...KNOWN, now: new Date('2026-08-01T00:00:00.000Z') }],
    // What contradicts itself, whatever the evidence shows.
    ['a verdict above its suites', signed(changed(`${RUN}/verdict`, 'conformant')), 'and that of its suites'],
    ['an exit code of another verdict', signed(changed(`${RUN}/exitCode`, 0)), 'its exit code 0 is not that of'],
    ['no suites', signed(changed(`${RUN}/suites`, [])), 'its counts are not those of its suites'],
    [
      'a suite above its counts',
      signed(changed(`${RUN}/suites`, [{ id: 'a', verdict: 'not-judged', counts: RED.counts }])),
      'a cannot be not-judged with its counts',
    ],
    // What is no certificate.
    ['nothing', '', 'unreadable: holds no JSON'],
    ['another document', {}, 'unreadable: /bundleVersion is missing'],
    ['a later version', { ...BUNDLE, bundleVersion: 2 }, 'unreadable: /bundleVersion'],
    ['a member of its own', { ...BUNDLE, more: 1 }, 'unreadable: /more is not declared'],
    [
      'another type of payload',
      { ...BUNDLE, envelope: { ...BUNDLE.envelope, payloadType: 'text/plain' } },
      'payloadType',
    ],
    [
      'two signatures',
      {
        ...BUNDLE,
        envelope: { ...BUNDLE.envelope, signatures: [...BUNDLE.envelope.signatures, ...BUNDLE.envelope.signatures] },
      },
      'unreadable: /envelope/signatures',
    ],
    ['a payload that is no Base64', { ...BUNDLE, envelope: { ...BUNDLE.envelope, payload: '!' } }, 'is no Base64'],
    ['a payload that is no JSON', sealed('{'), 'the statement: holds no JSON'],
    [
      'another type of statement',
      signed(changed('_type', 'https://in-toto.io/Statement/v0.1')),
      'the statement: /_type',
    ],
    ['another predicate', signed(changed('predicateType', 'https://h.example/x')), 'the statement: /predicateType'],
    ['no checks', signed(changed(`${RUN}/checks`, undefined)), 'the statement: /predicate/run/checks is missing'],
    [
      'a verdict of its own',
      signed(changed(`${RUN}/checks/fork.created`, 'fine')),
      'the statement: /predicate/run/checks',
    ],
    [
      'a key of another kind',
      { ...BUNDLE, publicKey: pem(generateKeyPairSync('x25519').publicKey) },
      '/publicKey is no Ed25519',
    ],
  ])('does not hold where somebody has changed: %s', (_, bundle, says, known) => {
    expect(result(bundle, known)).toContain(says);
  });

  it('that nests without end is none', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(result(sealed(deep))).toContain('the statement: ');
  });

  it('is signed over its type, too, as DSSE has it', () => {
    const relabelled = { ...BUNDLE.envelope, payloadType: 'application/vnd.in-toto+jsom' };
    expect(result({ ...BUNDLE, envelope: relabelled })).toContain('unreadable');
    expect(sealed('{"a":"ü"}').envelope.payload).toBe('eyJhIjoiw7wifQ==');
  });

  it('takes public keys alone for public keys', () => {
    expect(publicKeyIn(pem(SIGNER.publicKey))).toBeDefined();
    expect(publicKeyIn(SIGNER.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toBeUndefined();
    expect(publicKeyIn('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n')).toBeUndefined();
  });
});

describe('a badge', () => {
  it.each(['conformant', 'non-conformant', 'inconclusive', 'error'] as const)('says %s', (verdict) => {
    const report = { ...GREEN, verdict };
    expect(badgeSvg(report)).toContain(`aria-label="openwop: ${verdict}"`);
    expect(JSON.parse(badgeEndpoint(report))).toMatchObject({ schemaVersion: 1, message: verdict });
  });

  it.each<[part: string, more: Partial<Report>]>([
    ['conformant in discovery', { options: { suite: ['discovery'] } }],
    ['conformant in a, b, 3 more', { options: { suite: ['a', 'b', 'c'], requirements: ['d', '<b>'] } }],
    ['conformant, only what had failed', { options: { lastFailed: true, scenario: ['a'] } }],
    ['conformant, shard 1 of 3', { options: { shard: { index: 1, of: 3 } } }],
    ['conformant, excluded: run.cursor', { excluded: ['run.cursor'] }],
    ['conformant, interrupted by SIGINT', { interrupted: 'SIGINT' }],
    ['conformant, the evidence ends early', { endsEarly: true }],
    ['conformant, out of time', { ranOutOf: 'time' }],
    ['conformant, out of room for evidence', { ranOutOf: 'evidence' }],
    ['conformant, stopped after 1 failed', { stoppedAfter: { failures: 1, checksNotReached: 2 } }],
  ])('says of a part that it is %s', (part, more) => {
    const report = { ...GREEN, ...more };
    expect(JSON.parse(badgeEndpoint(report))).toMatchObject({ message: part });
    expect(badgeSvg(report)).toContain(`<title>openwop: ${part}</title>`);
    expect(judgedText(report)).toContain(part.split(', 3 more')[0]);
    const statement = makeStatement({ ...CERTIFIED, report });
    expect(badgeEndpoint(statement.predicate.run)).toBe(badgeEndpoint(report));
  });

  it('has no name of evidence in it that might be markup', () => {
    expect(badgeSvg({ ...GREEN, options: { suite: ['</title><script>'] } })).toContain('conformant in ?<');
  });

  it('leaves to lines what was not judged', () => {
    expect(judgedText({ ...GREEN, suites: [{ id: 'b', verdict: 'not-judged' }] })).toBe('conformant; not judged: b');
  });
});
