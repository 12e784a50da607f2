/** Something that a command has made could not be kept: its message goes to stderr and the process ends with exit code 4. */
export class LostError extends Error {
  override readonly name = 'LostError';
}
