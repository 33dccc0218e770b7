import { type Place, tokenAt } from "./rule.ts";

/** Whether a straight quotation mark before this token is still open. A mark right behind a number outside is an inch. */
export function insideQuotation(place: Place): boolean {
  let open = false;
  for (let offset = -place.index; offset <= 0; offset++) {
    const token = tokenAt(place, offset);
    if (/["“]/.test(token?.before ?? "")) open = true;
    if (offset < 0 && /["”]/.test(token?.after ?? "") && open) open = false;
  }
  return open;
}
