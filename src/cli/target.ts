import type { Target } from '../runner/target.ts';
import { present } from '../contract/present.ts';
import { baseUrl, credential, fromEnvironment, fromFile } from './arguments.ts';
import type { RunFlags } from './options.ts';
import { printError } from './printer.ts';
import { UsageError } from '../contract/usage-error.ts';

/** Reads whom to test from the flags and the environment. Credentials are taken from one place only, `unnamed` where the flags name none. */
export function readTarget(flags: RunFlags, unnamed = process.env['OPENWOP_API_KEY']): Target {
  if (flags.baseUrl === undefined) throw new UsageError('--base-url is missing: which host is to be tested?');
  return distinct({
    baseUrl: baseUrl('--base-url', flags.baseUrl),
    apiKey: readApiKey(flags, unnamed),
    tenantBKey: named('--tenant-b-key-env', flags.tenantBKeyEnv),
    limitedKey: named('--limited-key-env', flags.limitedKeyEnv),
    blindKey: named('--blind-key-env', flags.blindKeyEnv),
    baseUrlB: flags.baseUrlB === undefined ? undefined : baseUrl('--base-url-b', flags.baseUrlB),
    variables: present({
      apiKey: flags.apiKeyEnv,
      tenantBKey: flags.tenantBKeyEnv,
      limitedKey: flags.limitedKeyEnv,
      blindKey: flags.blindKeyEnv,
      apiKeyB: flags.apiKeyBEnv,
    }),
    apiKeyB: named('--api-key-b-env', flags.apiKeyBEnv),
  });
}

function named(option: string, variable: string | undefined): string | undefined {
  return variable === undefined ? undefined : fromEnvironment(option, variable);
}

/** What is compared with the host and the credential under test must not be these themselves. */
function distinct(target: Target): Target {
  const { baseUrl: first, baseUrlB, apiKey, tenantBKey, limitedKey, blindKey } = target;
  if (baseUrlB === first)
    throw new UsageError('--base-url-b is the host under test itself: there is nothing to compare');
  const own = { '--limited-key-env': limitedKey, '--blind-key-env': blindKey };
  for (const [option, key] of Object.entries({ '--tenant-b-key-env': tenantBKey, ...own })) {
    if (key !== undefined && key === apiKey) throw new UsageError(`${option} holds the credential under test itself`);
  }
  for (const [option, key] of Object.entries(own)) {
    if (key === undefined || key !== tenantBKey) continue;
    throw new UsageError(`${option} holds the second tenant's credential: it has to be the first tenant's`);
  }
  if (blindKey !== undefined && blindKey === limitedKey) {
    throw new UsageError('--blind-key-env holds the credential of --limited-key-env, which may read runs');
  }
  return target;
}

function readApiKey(flags: RunFlags, unnamed: string | undefined): string | undefined {
  const given = [flags.apiKey, flags.apiKeyEnv, flags.apiKeyFile].filter((value) => value !== undefined);
  if (given.length > 1) throw new UsageError('give one of --api-key, --api-key-env and --api-key-file');
  if (flags.apiKeyEnv !== undefined) return fromEnvironment('--api-key-env', flags.apiKeyEnv);
  if (flags.apiKeyFile !== undefined) return fromFile('--api-key-file', flags.apiKeyFile);
  if (flags.apiKey !== undefined) {
    printError('hint: --api-key shows the credential in the process list; OPENWOP_API_KEY does not\n');
    return credential('--api-key', flags.apiKey);
  }
  return unnamed === undefined || unnamed === '' ? undefined : credential('OPENWOP_API_KEY', unnamed);
}
