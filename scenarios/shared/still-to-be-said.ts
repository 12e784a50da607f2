/** Texts that stand where something is still to be said. */
const PLACEHOLDER =
  /^(?:tbd|tba|todo|n\/?a|unknown|undefined|coming soon|(?:still |yet )?to be (?:written|said|done|defined|described|documented|determined|decided|announced|added)|(?:not|never) (?:yet )?(?:written|defined|described|documented)(?: yet)?)?[-–—?.…!]*$/iu;

/** Whether a text says nothing: it is empty, or stands for what is still to be said. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text.trim());
}

/** Whether all that a text says is where to read on. */
export function isLink(text: string): boolean {
  return /^https?:\/\/\S+$/iu.test(text.trim());
}
