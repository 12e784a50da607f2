import { expect, it } from 'vitest';
import { sampled } from '../sampled.ts';
import { afterwards } from './afterwards.ts';
import { CREDENTIAL, type Behaviour } from './behaviour.ts';
import { ECHOES } from './echoes.ts';
import { ONE_IN } from './judged.ts';
import { survive, type Survival } from './survive.ts';

const OBEYED = /::(?!1\])|##[\w.-]*\[|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/u;
/** What the tool itself says to a pipeline's runner, at the start of a line. */
const OWN_COMMAND = /^::(?:notice|warning|error) [^:\n]*::/gmu;
/** The style and the script of a page for browsers. */
const OWN_CODE = /<(?<name>style|script)>[^]*?<\/\k<name>>/gu;

/** What a terminal or a pipeline's runner would obey in a text. */
function obeyedIn(text: string): string | undefined {
  return OBEYED.exec(text.replaceAll(OWN_COMMAND, '').replaceAll(OWN_CODE, ''))?.[0];
}

/** Eight characters and more of the credential, from any place in it. */
const PIECES = Array.from({ length: CREDENTIAL.length - 7 }, (_, at) => CREDENTIAL.slice(at, at + 8).toLowerCase());
const ENCODED = [
  Buffer.from(CREDENTIAL).toString('hex'),
  Buffer.from(`Bearer ${CREDENTIAL}`).toString('base64').slice(12, -4),
  Buffer.from(CREDENTIAL).toString('base64url'),
];

/** A reading of our own of what was written, in lower case: escapes of JSON, of URLs and of HTML, twice over. */
function read(text: string): string {
  let plain = text;
  for (let round = 0; round < 2; round += 1) {
    plain = plain
      .replaceAll(/\\+u\{?([\da-f]{4})\}?|%([\da-f]{2})/giu, (_, a: string, b: string) =>
        String.fromCharCode(Number.parseInt(a ?? b, 16)),
      )
      .replaceAll(/&#(\d+);/gu, (_, code: string) => String.fromCharCode(Number(code)))
      .replaceAll('\u200b', '');
  }
  return plain.toLowerCase();
}

function leaksIn(text: string): readonly string[] {
  const plain = read(text);
  return [
    ...PIECES.filter((piece) => plain.includes(piece)),
    ...ENCODED.filter((each) => text.toLowerCase().includes(each.slice(0, 16).toLowerCase())),
  ];
}

/** A machine that is busy for all of a drive shows nothing of its host, which is driven again then, for longer. */
async function answered(behaviour: Behaviour, ms = 2_500): Promise<Survival> {
  const flags = [...behaviour.flags, '--max-time', String(ms), '--timeout', String(ms)];
  const survival = await survive(ms === 2_500 ? behaviour : { ...behaviour, flags }, afterwards);
  const isShown = /"answer":\{"kind":"response"/u.test(survival.evidence);
  return isShown || ms > 30_000 ? survival : answered(behaviour, ms * 4);
}

it.concurrent.each(sampled(ECHOES, ONE_IN).map((behaviour): readonly [string, Behaviour] => [behaviour.id, behaviour]))(
  'nothing of %s gets through',
  async (_, behaviour) => {
    const { exitCode, stdout, stderr, evidence, written } = await answered(behaviour);
    expect(behaviour.exitCodes ?? [1, 2, 3]).toContain(exitCode);
    expect(leaksIn(stdout + stderr)).toEqual([]);
    expect(leaksIn(evidence)).toEqual([]);
    expect(evidence).toContain(/^echo\.[a-z0-9-]+$/u.test(behaviour.id) ? '[redacted]' : '"kind":"end"');
    expect(written.flatMap(leaksIn)).toEqual([]);
    expect([stdout, stderr, ...written].map(obeyedIn).filter((each) => each !== undefined)).toEqual([]);
  },
  900_000,
);
