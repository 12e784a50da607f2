/** Wrong usage or configuration: its message goes to stderr and the process ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
