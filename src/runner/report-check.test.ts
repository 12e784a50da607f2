import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bareScenario } from '../../test/bare-scenario.ts';
import { closedAfterEach } from '../../test/closing.ts';
import { type Received, sendJson, serveHttp } from '../../test/local-server.ts';
import { bodyOf, exchanged, RUN } from '../../test/records.ts';
import type { ExchangeRecord, RunRecord } from '../evidence/types.ts';
import { curlCommand, shellWord } from '../evidence/curl.ts';
import { scenarioCommand } from './report-check.ts';
import type { Need, Scenario } from './scenario.ts';

const run = promisify(execFile);
const opened = closedAfterEach();

/** The command, under a run without options of its own. */
const again = (exchange: ExchangeRecord): string | undefined => curlCommand(exchange, { options: {} });

interface Asked {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly truncated?: boolean;
}

function record({ url = 'http://h/a', method = 'POST', headers = {}, body, truncated = false }: Asked): ExchangeRecord {
  const kept = body === undefined ? {} : { body: bodyOf(body, { truncated }) };
  return exchanged({ request: { method, url, headers, ...kept } });
}

/** What a server receives when the command is pasted into a POSIX shell. */
async function pasted(asked: Asked): Promise<Received> {
  let seen: Received | undefined;
  const server = opened(
    await serveHttp((received, response) => {
      seen = received;
      sendJson(response, {});
    }),
  );
  const command = again(record({ ...asked, url: `${server.baseUrl}${asked.url ?? '/a'}` }));
  await run('sh', ['-c', command ?? 'false'], { env: { PATH: process.env['PATH'], MY_KEY: 'from "the" $env' } });
  if (seen === undefined) throw new Error('nothing was received');
  return seen;
}

const values: readonly (readonly [string, unknown])[] = [
  ['quotes', { a: `it's "quoted" ''` }],
  ['what a shell expands', { a: '$HOME ${PATH} $(id) `id` !! \\ * ~ & ; | > #' }],
  ['escapes', { a: 'line\nfeed\ttab\rreturn\u0000nul\u001bescape\u007f\u009b' }],
  ['Unicode', { a: 'é \u{1f600} \u2028 \u202e \u200b \ufeff \ufffa', '\u00e9': 1, 'e\u0301': 2 }],
  ['a lone surrogate', { a: '\ud800' }],
  ['a percent sign and backslashes', { a: '%s %25 \\n \\\\ \\u0041' }],
  ['an @ at the start', '@/etc/passwd'],
  ['long content', 'x'.repeat(16_000)],
];

describe('curlCommand, pasted into a shell', () => {
  it.each(values)('sends %s to the letter', async (_, value) => {
    const body = JSON.stringify(value);
    const received = await pasted({ body, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(received.body)).toEqual(value);
    expect(received.headers['content-type']).toBe('application/json');
  });

  it.each(values)('sends %s to the letter from an indented body', async (_, value) => {
    const received = await pasted({ body: JSON.stringify({ v: value }, null, '\t').replaceAll('\n', '\r\n') });
    expect(JSON.parse(received.body)).toEqual({ v: value });
  });

  it.each(['{"a":', 'not json: \'"$x`', '@/etc/hostname', '', '[1,]'])(
    'sends the malformed body %j as it is',
    async (body) => {
      expect((await pasted({ body })).body).toBe(body);
    },
  );

  it('keeps number texts, member order and duplicates as they are', async () => {
    const body = '{"b":1.0,"a":-0,"a":1e2}';
    expect((await pasted({ body })).body).toBe(body);
  });

  it('takes the credential from the variable that the evidence names', async () => {
    const { headers } = await pasted({ method: 'GET', headers: { authorization: 'Bearer $MY_KEY' } });
    expect(headers.authorization).toBe('Bearer from "the" $env');
  });

  it('lets the shell expand nothing else', async () => {
    const { headers, url } = await pasted({
      method: 'GET',
      url: "/a?q='$(id)'&r=`id`",
      headers: { authorization: 'Bearer $(echo hi)', 'x-a': "it's $HOME `id`" },
    });
    expect(headers.authorization).toBe('Bearer $(echo hi)');
    expect(headers['x-a']).toBe("it's $HOME `id`");
    expect(url).toBe("/a?q='$(id)'&r=`id`");
  });

  it('sends an empty header, and leaves out what only serves the harness', async () => {
    const { headers } = await pasted({
      method: 'GET',
      headers: { 'x-empty': '', 'user-agent': 'harness', accept: 'a/b' },
    });
    expect(headers['x-empty']).toBe('');
    expect(headers['user-agent']).toContain('curl');
    expect(headers.accept).toBe('a/b');
  });
});

describe('curlCommand', () => {
  it('is one line without anything that a terminal would obey', () => {
    for (const [, value] of values) {
      for (const indent of [undefined, 2, '\t']) {
        const command = again(record({ body: JSON.stringify(value, null, indent) })) ?? '';
        expect(command).toMatch(/^curl -sS -i -X POST http:\/\/h\/a --data-raw /u);
        expect(/[\u0000-\u001f\u007f-\u009f\u200b\u2028\u202e\ufeff\ufffa]/u.test(command)).toBe(false);
      }
    }
  });

  it('reads the credential from the file from which the run had it', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'reproduce-')), "it's");
    writeFileSync(file, 'secret');
    const headers = { authorization: 'Bearer $OPENWOP_API_KEY' };
    const command = curlCommand(record({ headers }), { options: { apiKeyFile: file } }) ?? '';
    const { stdout } = await run('sh', ['-c', command.replace('curl', 'echo')]);
    expect(stdout).toContain('authorization: Bearer secret');
    rmSync(dirname(file), { recursive: true });
  });

  it('is none where the body was no UTF-8', () => {
    const whole = record({ body: '{"a":"\ufffd"}' });
    const { body } = whole.request;
    if (body === undefined) throw new TypeError('the record has a body');
    expect(again(whole)).toBeDefined();
    expect(again({ ...whole, request: { ...whole.request, body: { ...body, bytes: 9 } } })).toBeUndefined();
  });

  it('is none where the body was cut', () => {
    expect(again(record({ body: '{}', truncated: true }))).toBeUndefined();
  });

  it.each(['{"a":\n', 'a\u001b[2J', 'a\u202eb', '\ud800'])(
    'is none for %j: no JSON, and it would not survive a paste',
    (body) => {
      expect(again(record({ body }))).toBeUndefined();
    },
  );
});

describe('shellWord', () => {
  it.each([
    ['http://h:80/a-b_c.d@e=f', 'http://h:80/a-b_c.d@e=f'],
    ['', "''"],
    ['a b', "'a b'"],
    ["it's", String.raw`'it'\''s'`],
    ['$x', "'$x'"],
    ['a\n', "'a\n'"],
  ])('of %j is %s', (text, word) => {
    expect(shellWord(text)).toBe(word);
  });
});

function needing(needs: readonly Need[]): Scenario {
  return bareScenario({ id: 's.one', needs });
}

describe('scenarioCommand', () => {
  const recorded = { ...RUN, target: { baseUrl: 'http://h', baseUrlB: 'http://b b' } };
  const command = (needs: readonly Need[], options: RunRecord['options'], more: Partial<Scenario> = {}): string =>
    scenarioCommand({ ...needing(needs), ...more }, { ...recorded, options });
  it('names what the scenario needs, and the options that were used', () => {
    const needs: readonly Need[] = [{ kind: 'second-tenant' }, { kind: 'spans' }, { kind: 'second-host' }];
    expect(command(needs, { seed: 3, recipe: 'rfc-0041' })).toBe(
      "npx openwop-conformance --base-url http://h --scenario s.one --tenant-b-key-env OPENWOP_TENANT_B_KEY --otel --base-url-b 'http://b b' --seed 3 --recipe rfc-0041",
    );
  });

  it('names the variables and the addresses that were given', () => {
    const options = {
      credentialVariables: { apiKey: 'A', tenantBKey: 'T', limitedKey: 'L', apiKeyB: 'B; x' },
      witnessAddress: { listen: '[::1]:4318', url: 'https://w.example/$x' },
    };
    const needs: readonly Need[] = [
      { kind: 'second-tenant' },
      { kind: 'limited-credential' },
      { kind: 'witness' },
      { kind: 'second-host' },
    ];
    expect(command(needs, options)).toBe(
      "npx openwop-conformance --base-url http://h --scenario s.one --api-key-env A --tenant-b-key-env T --limited-key-env L --witness-listen '[::1]:4318' --witness-url 'https://w.example/$x' --base-url-b 'http://b b' --api-key-b-env 'B; x'",
    );
    const edited = { credentialVariables: 7, witnessAddress: { listen: null } };
    expect(scenarioCommand(needing([]), { ...recorded, options: edited })).not.toContain('-env');
  });

  it('gives a slow host as much time, and lets the same rows decide', () => {
    const usual = { timeout: 10_000, concurrency: 8, level: 'must' };
    expect(command([], { ...usual, seed: 3 })).toMatch(/ --seed 3$/u);
    expect(command([], { timeout: 60_000, concurrency: 1, level: 'should' })).toMatch(
      / --timeout 60000 --concurrency 1 --level should$/u,
    );
    expect(command([], { timeout: '60000', concurrency: null, level: 7 })).toMatch(/ --scenario s\.one$/u);
  });

  it('says how the host comes back where it is killed', () => {
    const options = { seed: 3, crash: 'full', restartCommand: "DATA='a b' ./start &" };
    expect(command([{ kind: 'crash' }], options)).toBe(
      String.raw`npx openwop-conformance --base-url http://h --scenario s.one --seed 3 --crash full --restart-command 'DATA='\''a b'\'' ./start &'`,
    );
    expect(command([], options)).not.toContain('--crash');
  });

  it('keeps the file of the credential', () => {
    expect(command([], { apiKeyFile: 'a b' })).toBe(
      "npx openwop-conformance --base-url http://h --scenario s.one --api-key-file 'a b'",
    );
  });

  it('registers again what a run registered', () => {
    const options = { register: 'PUT:http://h/{workflowId}', typeMap: 'map.json' };
    expect(command([], options)).toContain(
      " --scenario s.one --register 'PUT:http://h/{workflowId}' --type-map map.json",
    );
  });

  it('is the self-test again where the host is gone with its runs', () => {
    const options = { command: 'self-test', seed: 3, apiKeyFile: 'unused' };
    expect(command([{ kind: 'witness' }], options)).toBe('npx openwop-conformance self-test --scenario s.one --seed 3');
  });

  it('runs and sweeps the same workflows', () => {
    const options = { sweep: 0, workflows: [{ workflowId: 'a b', file: 'in.json' }, { workflowId: 'c' }, 7] };
    const swept = command([], options, { sweeps: true });
    expect(swept).toMatch(/ --sweep 0 --workflow 'a b=in\.json' --workflow c$/u);
    const runs = command([], options);
    expect(runs).toMatch(/ --scenario s\.one --workflow 'a b=in\.json' --workflow c$/u);
    const reads: Scenario = { ...needing([]), documentOnly: true };
    expect(scenarioCommand(reads, { ...recorded, options })).toMatch(/ --scenario s\.one$/u);
    const all = { sweep: 'all', workflows: null };
    const plain = command([], all, { sweeps: true });
    expect(plain).not.toContain('--sweep');
  });

  it('names what else it judges with, and what that needs', () => {
    const other: Scenario = { ...needing([{ kind: 'second-tenant' }]), id: 's.two', sweeps: true };
    const both = scenarioCommand(needing([]), { ...recorded, options: { sweep: 3 } }, [other]);
    expect(both).toBe(
      'npx openwop-conformance --base-url http://h --scenario s.one --scenario s.two --tenant-b-key-env OPENWOP_TENANT_B_KEY --sweep 3',
    );
    const within = { ...recorded, options: { command: 'in-process', seed: 3 } };
    expect(scenarioCommand(needing([]), within, [other])).toContain("scenarios: ['s.one', 's.two'], seed: 3");
  });

  it('is short where nothing is needed', () => {
    expect(command([], {})).toBe('npx openwop-conformance --base-url http://h --scenario s.one');
  });
});
