import { BlockList, isIPv6 } from "node:net";

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** Whether an address belongs to one of these addresses or networks, written as in `PARLANCE_TRUST_PROXY`. */
export function createNetworkMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks.flatMap((each) => NAMED[each] ?? [each])) {
    const [address = "", prefix] = network.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    list.addSubnet(address, prefix === undefined ? (family === "ipv6" ? 128 : 32) : Number(prefix), family);
  }
  // An IPv4 address in IPv6 notation is compared with the IPv4 networks too.
  return (address) => list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
