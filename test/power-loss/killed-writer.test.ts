import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../reference-host/store/store.ts';
import { packageFile } from '../../src/contract/package-root.ts';
import { withTemporaryDirectory } from '../cli.ts';
import { type Line, acknowledgedIn, linesIn, missingFrom } from './acknowledged.ts';
import { EVERY_PLACE } from '../sampled.ts';
import { seeded } from './random.ts';

const KILLS = EVERY_PLACE ? 20 : 6;

it(`loses nothing acknowledged when its writer is killed ${KILLS} times in the middle of its writes`, async () => {
  await withTemporaryDirectory(async (directory) => {
    const file = join(directory, 'host.db');
    const random = seeded(7);
    const lines: Line[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = lines.length;
      lines.push(...(await linesUntilKilled(file, 1 + Math.floor(random() * 60))));
      expect(lines.length).toBeGreaterThan(before);
      // Every other time the next writer finds the file as the killed one left it.
      expect(kill % 2 === 1 ? missingIn(file, lines) : []).toEqual([]);
    }
    expect(acknowledgedIn(lines).events.size).toBeGreaterThan(KILLS);
  });
});

/** Lets the workload write until it has said so many lines, and kills it; gives all that it said. */
async function linesUntilKilled(file: string, count: number): Promise<Line[]> {
  const workload = packageFile('test', 'power-loss', 'workload.mjs');
  const child = spawn(process.execPath, [workload, file, '-', '100000', '1'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let text = '';
  let heard = 0;
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    text += String(chunk);
    heard += String(chunk).split('\n').length - 1;
    if (heard >= count && !child.killed) child.kill('SIGKILL');
  }
  await ended;
  return linesIn(text);
}

function missingIn(file: string, lines: readonly Line[]): string[] {
  const store = openStore(file, 0);
  try {
    return missingFrom(store, acknowledgedIn(lines));
  } finally {
    store.close();
  }
}
