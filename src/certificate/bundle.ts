import { createPublicKey, type KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Report } from '../contract/report.ts';
import { faultsIn } from '../contract/validate.ts';
import { contradictionsIn } from './contradictions.ts';
import { type Envelope, fromBase64, isSealedBy, keyId, seal } from './envelope.ts';
import { certifiedRun, type Certifier, type Statement } from './statement.ts';

/** A signed certificate (schemas/certificate.schema.json). */
export interface Bundle {
  readonly bundleVersion: 1;
  readonly envelope: Envelope;
  /** PEM, SPKI. */
  readonly publicKey: string;
}

/** Signs a statement with an Ed25519 key. */
export function makeBundle(statement: Statement, privateKey: KeyObject): Bundle {
  const publicKey = createPublicKey(privateKey);
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { bundleVersion: 1, envelope: seal(JSON.stringify(statement), privateKey, publicKey), publicKey: pem };
}

/** What a certificate is compared with. */
export interface Known {
  /** The key of whom one trusts; that in the bundle shows only that nothing was changed since. */
  readonly publicKey?: KeyObject;
  /** The evidence: its digest, and what it is judged to show now. */
  readonly evidence?: { readonly sha256: string; readonly report: Report };
  readonly now: Date;
  /** What judges now. */
  readonly certifier: Certifier;
}

/** One thing that was found out: `wrong` ends the verification, `unknown` keeps it from being whole. */
export interface Finding {
  readonly kind: 'ok' | 'wrong' | 'unknown' | 'note';
  readonly message: string;
}

/** What a bundle says, where it can be read at all, and what of that holds. */
export type Verified =
  | { readonly ok: true; readonly statement: Statement; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly message: string };

const NO_BASE64 = 'is no Base64 (padded, with + and /)';

/** Reads a bundle and holds it against what is known. */
export function verifyBundle(text: string, known: Known): Verified {
  const bundle = parsed(text, 'certificate');
  if (typeof bundle === 'string') return { ok: false, message: bundle };
  const { envelope, publicKey } = bundle.value as Bundle;
  const own = publicKeyIn(publicKey);
  if (own === undefined) return { ok: false, message: '/publicKey is no Ed25519 public key in PEM' };
  const payload = fromBase64(envelope.payload);
  if (payload === undefined) return { ok: false, message: `/envelope/payload ${NO_BASE64}` };
  const bare = envelope.signatures.findIndex(({ sig }) => fromBase64(sig) === undefined);
  if (bare >= 0) return { ok: false, message: `/envelope/signatures/${bare}/sig ${NO_BASE64}` };
  const read = parsed(payload.toString('utf8'), 'certificate#statement');
  if (typeof read === 'string') return { ok: false, message: `the statement: ${read}` };
  const statement = read.value as Statement;
  const findings = [
    ...ofSignature(envelope, own, known),
    ...ofTime(statement, known.now),
    ...contradictionsIn(statement.predicate.run).map(wrong),
    ...ofCertifier(statement, known),
    ...ofEvidence(statement, known),
  ];
  return { ok: true, statement, findings };
}

/** The Ed25519 key in a PEM text; undefined where it is none, or a private one. */
export function publicKeyIn(pem: string): KeyObject | undefined {
  if (!pem.trimStart().startsWith('-----BEGIN PUBLIC KEY-----')) return undefined;
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

function parsed(text: string, schema: string): { readonly value: unknown } | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `holds no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (hasMemberTwice(text, value)) return 'has a member twice';
  const [fault] = faultsIn(schema, value);
  return fault === undefined ? { value } : `${fault.pointer || 'the whole'} ${fault.wrong}`;
}

function ofSignature(envelope: Envelope, own: KeyObject, { publicKey }: Known): readonly Finding[] {
  if (!isSealedBy(envelope, own))
    return [wrong('the signature is not one of the key in the bundle over this statement')];
  if (publicKey === undefined) {
    return [unknown(`it is signed with the key ${keyId(own)}: whose that is, nobody can know (--public-key)`)];
  }
  return keyId(publicKey) === keyId(own)
    ? [ok(`signed with the key ${keyId(own)}`)]
    : [wrong(`it is signed with the key ${keyId(own)}, and not with ${keyId(publicKey)}`)];
}

function ofTime({ predicate }: Statement, now: Date): readonly Finding[] {
  const { issuedAt, expiresAt, run } = predicate;
  const [issued, expires] = [Date.parse(issuedAt), Date.parse(expiresAt)];
  if (!(Date.parse(run.startedAt) <= issued && issued < expires)) {
    return [wrong(`its times contradict each other: run ${run.startedAt}, issued ${issuedAt}, expires ${expiresAt}`)];
  }
  if (issued > now.getTime()) return [wrong(`it is issued in the future: ${issuedAt}`)];
  return now.getTime() >= expires
    ? [wrong(`it expired: ${expiresAt}`)]
    : [ok(`issued ${issuedAt}, expires ${expiresAt}`)];
}

/** Who certified is the signer's to say: another build than this one is named. */
function ofCertifier({ predicate }: Statement, { certifier }: Known): readonly Finding[] {
  const names = ['name', 'version', 'program', 'checks'] as const;
  const other = names.filter((name) => predicate.certifier[name] !== certifier[name]);
  if (other.length === 0) return [];
  const parts = other.map(
    (name) => `${name} ${predicate.certifier[name].slice(0, 20)} (here ${certifier[name].slice(0, 20)})`,
  );
  return [{ kind: 'note', message: `another build certified it: ${parts.join(', ')}` }];
}

function ofEvidence({ subject, predicate }: Statement, { evidence }: Known): readonly Finding[] {
  if (evidence === undefined) return [unknown('its verdicts were not made again: give the evidence, too')];
  const [{ digest }] = subject;
  if (digest.sha256 !== evidence.sha256) {
    return [wrong(`it is about other evidence: SHA-256 ${digest.sha256}, and this file's is ${evidence.sha256}`)];
  }
  const again = JSON.parse(JSON.stringify(certifiedRun(evidence.report))) as typeof predicate.run;
  const { run } = predicate;
  const names = [...new Set([...Object.keys(run), ...Object.keys(again)])] as (keyof typeof run)[];
  const other = names.filter((name) => !isDeepStrictEqual(run[name], again[name]));
  if (other.length > 0) return [wrong(`the evidence shows another ${other.join(', ')}`)];
  return [ok(`the evidence shows the same again: ${Object.keys(run.checks).length} checks`)];
}

function ok(message: string): Finding {
  return { kind: 'ok', message };
}

function wrong(message: string): Finding {
  return { kind: 'wrong', message };
}

function unknown(message: string): Finding {
  return { kind: 'unknown', message };
}

/** Whether an object in a JSON text, whose value this is, has a member twice: readers differ in which of them counts. */
function hasMemberTwice(text: string, value: unknown): boolean {
  return membersOf(text) !== membersIn(value);
}

/** How many members the text has: a colon outside of a string stands in each, and nowhere else. */
function membersOf(text: string): number {
  let members = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isString && character === '\\') at += 1;
    else if (character === '"') isString = !isString;
    else if (character === ':' && !isString) members += 1;
  }
  return members;
}

/** The text may nest without end. */
function membersIn(value: unknown): number {
  const open: unknown[] = [value];
  let members = 0;
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each !== 'object' || each === null) continue;
    const values: readonly unknown[] = Object.values(each);
    members += Array.isArray(each) ? 0 : values.length;
    for (const inner of values) open.push(inner);
  }
  return members;
}
