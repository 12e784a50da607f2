import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { SUITES } from '../../../scenarios/index.ts';
import { badgeEndpoint, badgeSvg, judgedText } from '../../certificate/badge.ts';
import { type Finding, makeBundle, publicKeyIn, verifyBundle } from '../../certificate/bundle.ts';
import { sha256 } from '../../certificate/envelope.ts';
import { type Certifier, makeStatement } from '../../certificate/statement.ts';
import { present } from '../../contract/present.ts';
import { packageFile, packageVersion } from '../../contract/package-root.ts';
import type { ExitCode, Report } from '../../contract/report.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { escapeTerminal } from '../../report/escape.ts';
import { checkFiles, isStandardOutput, messageOf, namedFiles, onDisk } from '../files.ts';
import { judgeRecorded } from '../judge-recorded.ts';
import { keepWhole } from '../kept.ts';
import { print, printMessage, printScript } from '../printer.ts';
import { NO_TEXT, readTextFile, readTextInput } from '../text-file.ts';

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
  const outputs = namedFiles({ '--output': output, '--badge': badge, '--endpoint': endpoint });
  const evidence = { option: 'the evidence', path: onDisk('the evidence', file) };
  checkFiles([evidence, { option: '--key', path: key }], outputs);
  const privateKey = privateKeyIn(key);
  const { report, sha256: evidenceSha256 } = await judged(file);
  const issuedAt = new Date();
  // A certificate of it would contradict itself.
  if (!(Date.parse(report.startedAt) <= issuedAt.getTime())) {
    throw new UsageError(
      `${file}: its run begins in the future: ${report.startedAt} (it is ${issuedAt.toISOString()})`,
    );
  }
  const expiresAt = new Date(issuedAt.getTime() + days * DAY_MS);
  const statement = makeStatement({ report, evidenceSha256, certifier: certifier(), issuedAt, expiresAt });
  const bundle = makeBundle(statement, privateKey);
  write('the certificate', output, `${JSON.stringify(bundle, null, 2)}\n`);
  if (badge !== undefined) write('the badge', badge, badgeSvg(report));
  if (endpoint !== undefined) write('the badge', endpoint, badgeEndpoint(report));
  const [signature] = bundle.envelope.signatures;
  const expires = expiresAt.toISOString();
  const line = `${output}: ${judgedText(report)}, expires ${expires}, key ${signature?.keyid ?? ''}`;
  if (outputs.some(({ path }) => isStandardOutput(path))) printMessage(line);
  else print(`${escapeTerminal(line)}\n`);
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
  const text = file === '-' ? await readTextInput(file, MOST_BYTES) : textOf('the certificate', file);
  const evidence = evidenceFile === undefined ? undefined : await judged(onDisk('the evidence', evidenceFile));
  const verified = verifyBundle(text, {
    ...present({ publicKey: key, evidence }),
    now: new Date(),
    certifier: certifier(),
  });
  if (!verified.ok) throw new UsageError(`${file}: no certificate: ${verified.message}`);
  const { statement, findings } = verified;
  const { run } = statement.predicate;
  const { target, startedAt } = run;
  const kinds = { ok: 'holds', wrong: 'WRONG', unknown: 'not known', note: 'note' } as const;
  const isWrong = findings.some(({ kind }) => kind === 'wrong');
  const isOpen = findings.some(({ kind }) => kind === 'unknown');
  const exitCode = isWrong ? 1 : isOpen ? 3 : 0;
  const said = (one: Finding): string => `${kinds[one.kind]}: ${one.message}`;
  // What nobody who is trusted has signed is a claim.
  const claimed = isWrong || key === undefined ? 'claimed: ' : '';
  const lines = [
    ...findings.filter(({ kind }) => kind === 'wrong').map(said),
    `${claimed}${judgedText(run)}: ${target.baseUrl}, ${target.implementation ?? 'without a name'}, ${startedAt}`,
    ...findings.filter(({ kind }) => kind !== 'wrong').map(said),
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

async function judged(path: string): Promise<{ readonly report: Report; readonly sha256: string }> {
  const before = await digest(path);
  const report = await judgeRecorded(path, {});
  const after = await digest(path);
  if (before !== after) throw new UsageError(`${path} changed while it was judged`);
  return { report, sha256: after };
}

async function digest(path: string): Promise<string> {
  try {
    return await digestOf(path);
  } catch (error) {
    throw new UsageError(`${path}: ${messageOf(error)}`, { cause: error });
  }
}

function privateKeyIn(path: string): KeyObject {
  const pem = textOf('--key', path);
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {
    // What the library says may quote the file.
  }
  const why = whyNoKey(pem);
  if (why === undefined && key?.asymmetricKeyType === 'ed25519') return key;
  throw new UsageError(`--key ${path}: ${why ?? 'no Ed25519 private key in PEM'} (${HOW_TO_MAKE})`);
}

const HOW_TO_MAKE = 'openssl genpkey -algorithm ed25519 makes one';

/** What is known to be something else than one private key that can be read. */
function whyNoKey(pem: string): string | undefined {
  const labels = [...pem.matchAll(/-----BEGIN (?<label>[A-Z ]*PRIVATE KEY)-----/gu)].map(
    ({ groups }) => groups?.['label'],
  );
  if (labels.length > 1) return 'it holds more than one private key';
  if (labels[0] === 'ENCRYPTED PRIVATE KEY')
    return 'the key is encrypted, and nobody is asked for its passphrase: openssl pkey -in FILE decrypts it';
  return labels[0] === 'OPENSSH PRIVATE KEY'
    ? 'the key has the form of OpenSSH, and that of PKCS #8 is wanted'
    : undefined;
}

function trustedKey(path: string): KeyObject {
  const key = publicKeyIn(textOf('--public-key', path));
  if (key === undefined) {
    throw new UsageError(`--public-key ${path}: no Ed25519 public key in PEM (openssl pkey -in KEY -pubout makes it)`);
  }
  return key;
}

function textOf(option: string, path: string): string {
  const hint = option === 'the certificate' ? '' : ' (a key in DER is made one in PEM by openssl pkey -inform DER)';
  return readTextFile(path, MOST_BYTES, (problem) => {
    return new UsageError(`${option} ${path}: ${problem}${problem === NO_TEXT ? hint : ''}`);
  });
}

function write(what: string, path: string, text: string): void {
  if (isStandardOutput(path)) printScript(text);
  else keepWhole(what, path, text);
}

/** What this tool is: its version, the digest of its program as it was built, and that of its checks. */
export function certifier(): Certifier {
  const folder = packageFile('dist');
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const program = files.toSorted().map((name) => `${name} ${sha256(readFileSync(`${folder}/${name}`))}`);
  const checks = SUITES.flatMap(({ scenarios }) => scenarios).flatMap((scenario) =>
    scenario.checks.map(({ id, requirement }) => `${scenario.suite} ${scenario.id} ${id} ${requirement}`),
  );
  return {
    name: 'openwop-conformance',
    version: packageVersion(),
    program: sha256(program.join('\n')),
    checks: sha256(checks.join('\n')),
  };
}

/** SHA-256 of a file, whatever its size. Rejects with the file system's error. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
