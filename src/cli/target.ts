import type { Target } from '../runner/target.ts';
import { baseUrl, credential, fromEnvironment, fromFile } from './arguments.ts';
import type { RunFlags } from './options.ts';
import { UsageError } from './usage-error.ts';

/** Reads whom to test from the flags and the environment. Credentials are taken from one place only. */
export function readTarget(flags: RunFlags): Target {
  if (flags.baseUrl === undefined) throw new UsageError('--base-url is missing: which host is to be tested?');
  return {
    baseUrl: baseUrl('--base-url', flags.baseUrl),
    apiKey: readApiKey(flags),
    tenantBKey:
      flags.tenantBKeyEnv === undefined ? undefined : fromEnvironment('--tenant-b-key-env', flags.tenantBKeyEnv),
    limitedKey:
      flags.limitedKeyEnv === undefined ? undefined : fromEnvironment('--limited-key-env', flags.limitedKeyEnv),
    baseUrlB: flags.baseUrlB === undefined ? undefined : baseUrl('--base-url-b', flags.baseUrlB),
    variables: {
      ...(flags.apiKeyEnv === undefined ? {} : { apiKey: flags.apiKeyEnv }),
      ...(flags.tenantBKeyEnv === undefined ? {} : { tenantBKey: flags.tenantBKeyEnv }),
      ...(flags.limitedKeyEnv === undefined ? {} : { limitedKey: flags.limitedKeyEnv }),
      ...(flags.apiKeyBEnv === undefined ? {} : { apiKeyB: flags.apiKeyBEnv }),
    },
    apiKeyB: flags.apiKeyBEnv === undefined ? undefined : fromEnvironment('--api-key-b-env', flags.apiKeyBEnv),
  };
}

function readApiKey(flags: RunFlags): string | undefined {
  const given = [flags.apiKey, flags.apiKeyEnv, flags.apiKeyFile].filter((value) => value !== undefined);
  if (given.length > 1) throw new UsageError('give one of --api-key, --api-key-env and --api-key-file');
  if (flags.apiKeyEnv !== undefined) return fromEnvironment('--api-key-env', flags.apiKeyEnv);
  if (flags.apiKeyFile !== undefined) return fromFile('--api-key-file', flags.apiKeyFile);
  if (flags.apiKey !== undefined) {
    process.stderr.write('hint: --api-key shows the credential in the process list; OPENWOP_API_KEY does not\n');
    return credential('--api-key', flags.apiKey);
  }
  const value = process.env['OPENWOP_API_KEY'];
  return value === undefined || value === '' ? undefined : credential('OPENWOP_API_KEY', value);
}
