/** Whether an id that a host shows is that of a workflow; it may name the version beside it (wire, Documents). */
export function isWorkflow(is: unknown, wanted: string): boolean {
  return typeof is === 'string' && (is === wanted || is.startsWith(`${wanted}@`));
}
