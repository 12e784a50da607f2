/** The text with every mention of a log's own run id replaced by the other log's; a longer word around it is none. */
export type RunIdRename = (text: string) => string;

/** Makes the renaming from one run id to the other, which leaves everything alone where one of them is unknown. */
export function renameRunId(from: string | undefined, to: string | undefined): RunIdRename {
  if (from === undefined || to === undefined || from === '' || from === to) return (text) => text;
  return (text) => {
    if (text === from) return to;
    let at = text.indexOf(from);
    if (at === -1) return text;
    const parts: string[] = [];
    let kept = 0;
    for (; at !== -1; at = text.indexOf(from, at + from.length)) {
      const end = at + from.length;
      if (isWordUnit(text.charCodeAt(at - 1)) || isWordUnit(text.charCodeAt(end))) continue;
      parts.push(text.slice(kept, at), to);
      kept = end;
    }
    return parts.join('') + text.slice(kept);
  };
}

/** ASCII letters and digits; what lies outside the text (NaN) is none. */
function isWordUnit(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}
