import { useState } from "react";
import { client } from "../../lib/server.ts";
import { useSession } from "../../lib/session.ts";
import { Empty } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { UsageReport } from "../wallet/usage-report.tsx";
import { AuditLog } from "./audit-log.tsx";
import { System } from "./system.tsx";
import { Users } from "./users.tsx";
import { VoiceAliases } from "./voice-aliases.tsx";

const SECTIONS = [
  { value: "users", label: "Users" },
  { value: "usage", label: "Usage" },
  { value: "aliases", label: "Voice aliases" },
  { value: "audit", label: "Audit log" },
  { value: "system", label: "System" },
] as const;

export default function AdminPage() {
  const { account } = useSession();
  const [section, setSection] = useState<(typeof SECTIONS)[number]["value"]>("users");
  if (account.role !== "admin") {
    return (
      <Page title="Administration">
        <Empty icon="admin" title="Admins only">
          <p>An admin can give you this role on the tab Users.</p>
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title="Administration"
      actions={<Tabs label="Section" value={section} options={SECTIONS} onChange={setSection} />}
    >
      {section === "users" && <Users />}
      {section === "usage" && (
        <UsageReport
          load={(query, signal) => client.usage.all(query, { signal })}
          csv="/admin/usage"
          groups={["user", "key", "operation"]}
        />
      )}
      {section === "aliases" && <VoiceAliases />}
      {section === "audit" && <AuditLog />}
      {section === "system" && <System />}
    </Page>
  );
}
