import { isIPv6 } from "node:net";

/** An IPv6 client usually has a whole /64 network, so the network is counted instead of the address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = address.split("%", 1)[0] ?? "";
  if (plain.toLowerCase().startsWith("::ffff:") && plain.includes(".")) return plain.slice(7);
  const [head = "", tail] = plain.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = tail === undefined ? left : [...left, ...zeros, ...right];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
