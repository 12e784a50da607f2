import { createPrivateKey, type KeyObject } from 'node:crypto';
import { badgeEndpoint, badgeSvg } from '../../certificate/badge.ts';
import { makeBundle, publicKeyIn, verifyBundle } from '../../certificate/bundle.ts';
import { makeStatement } from '../../certificate/statement.ts';
import type { ExitCode } from '../../contract/report.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { writeWhole } from '../../evidence/whole-file.ts';
import { escapeTerminal } from '../../report/escape.ts';
import { certifier, digestOf } from '../certifier.ts';
import { checkFiles, messageOf, type NamedFile } from '../files.ts';
import { judgeRecorded } from '../judge-recorded.ts';
import { print } from '../printer.ts';
import { readTextFile } from '../text-file.ts';

export interface CertifyFlags {
  readonly key: string;
  readonly output: string;
  readonly days: number;
  readonly badge?: string;
  readonly endpoint?: string;
}

const DAY_MS = 86_400_000;
/** Bytes of a bundle or a key: more than one with every check in it. */
const MOST_BYTES = 4 * 1_048_576;

/** `certify`: signs what evidence shows, judged anew. Returns 0 whatever the verdict is: the certificate says it. */
export async function certify(file: string, flags: CertifyFlags): Promise<ExitCode> {
  const { key, output, badge, endpoint, days } = flags;
  const outputs: NamedFile[] = [
    { option: '--output', path: output },
    ...(badge === undefined ? [] : [{ option: '--badge', path: badge }]),
    ...(endpoint === undefined ? [] : [{ option: '--endpoint', path: endpoint }]),
  ];
  const evidence = { option: 'the evidence', path: onDisk(file) };
  checkFiles([evidence, { option: '--key', path: key }], outputs);
  const privateKey = privateKeyIn(key);
  const { report, sha256: evidenceSha256 } = await judged(file);
  const issuedAt = new Date();
  const expiresAt = new Date(issuedAt.getTime() + days * DAY_MS);
  const statement = makeStatement({ report, evidenceSha256, certifier: certifier(), issuedAt, expiresAt });
  const bundle = makeBundle(statement, privateKey);
  write(output, `${JSON.stringify(bundle, null, 2)}\n`);
  if (badge !== undefined) write(badge, badgeSvg(report));
  if (endpoint !== undefined) write(endpoint, badgeEndpoint(report));
  const [signature] = bundle.envelope.signatures;
  const expires = expiresAt.toISOString();
  print(`${escapeTerminal(output)}: ${report.verdict}, expires ${expires}, key ${signature?.keyid ?? ''}\n`);
  return 0;
}

/**
 * `verify`: says what of a certificate holds. Returns 0 where all does, 1 where something is wrong, 3 where the key or the evidence
 * is missing for that.
 */
export async function verify(
  file: string,
  evidenceFile: string | undefined,
  { publicKey }: { readonly publicKey?: string },
): Promise<ExitCode> {
  const key = publicKey === undefined ? undefined : trustedKey(publicKey);
  const text = textOf('the certificate', file);
  const evidence = evidenceFile === undefined ? undefined : await judged(onDisk(evidenceFile));
  const verified = verifyBundle(text, {
    ...(key === undefined ? {} : { publicKey: key }),
    ...(evidence === undefined ? {} : { evidence }),
    now: new Date(),
    certifier: certifier(),
  });
  if (!verified.ok) throw new UsageError(`${file}: no certificate: ${verified.message}`);
  const { statement, findings } = verified;
  const { verdict, target, startedAt, excluded = [] } = statement.predicate.run;
  const without = excluded.length === 0 ? '' : `, excluded: ${excluded.join(', ')}`;
  const kinds = { ok: 'holds', wrong: 'WRONG', unknown: 'not known' } as const;
  const isWrong = findings.some(({ kind }) => kind === 'wrong');
  const isOpen = findings.some(({ kind }) => kind === 'unknown');
  const exitCode = isWrong ? 1 : isOpen ? 3 : 0;
  const lines = [
    `${verdict}${without}: ${target.baseUrl}, ${target.implementation ?? 'without a name'}, ${startedAt}`,
    ...findings.map(({ kind, message }) => `${kinds[kind]}: ${message}`),
    ...NEVER_KNOWN.map((each) => `not known: ${each}`),
    `${isWrong ? 'not verified' : isOpen ? 'not wholly verified' : 'verified'} (exit code ${exitCode})`,
  ];
  print(`${lines.map((line) => escapeTerminal(line)).join('\n')}\n`);
  return exitCode;
}

/** What no certificate can show. */
const NEVER_KNOWN = [
  'who ran the tests, and that the evidence was recorded and not written',
  'that the host at this address was the one in production, or is the same now',
];

async function judged(
  path: string,
): Promise<{ readonly report: Awaited<ReturnType<typeof judgeRecorded>>; readonly sha256: string }> {
  const report = await judgeRecorded(path, {});
  try {
    return { report, sha256: await digestOf(path) };
  } catch (error) {
    throw new UsageError(`${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** Evidence is read twice, for its verdicts and for its digest. */
function onDisk(path: string): string {
  if (path === '-') throw new UsageError('the evidence has to be a file: it is read twice');
  return path;
}

function privateKeyIn(path: string): KeyObject {
  const pem = textOf('--key', path);
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {
    // What the library says may quote the file.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new UsageError(`--key ${path}: no Ed25519 private key in PEM (openssl genpkey -algorithm ed25519 makes one)`);
}

function trustedKey(path: string): KeyObject {
  const key = publicKeyIn(textOf('--public-key', path));
  if (key === undefined) {
    throw new UsageError(`--public-key ${path}: no Ed25519 public key in PEM (openssl pkey -in KEY -pubout makes it)`);
  }
  return key;
}

function textOf(option: string, path: string): string {
  return readTextFile(path, MOST_BYTES, (problem) => new UsageError(`${option} ${path}: ${problem}`));
}

function write(path: string, text: string): void {
  try {
    writeWhole(path, text);
  } catch (error) {
    throw new UsageError(`${path}: ${messageOf(error)}`, { cause: error });
  }
}
