import { SETTING_GROUPS, type SettingGroup, summaryOf, toPlainText } from "@parlance/server/records";

/** The settings with their defaults, for the help of `parlance serve`. */
export function describeSettings(): string {
  return `
Settings (environment variables; docs/configuration.md explains each):
${SETTING_GROUPS.map(describeGroup).join("\n")}`;
}

function describeGroup({ title, settings }: SettingGroup): string {
  const lines = settings.map((setting) => {
    const byDefault = setting.hasDefault && setting.default !== "" ? ` Default: ${toPlainText(setting.default)}.` : "";
    return `    ${setting.name}\n      ${summaryOf(setting)}${byDefault}`;
  });
  return [`  ${title}`, ...lines].join("\n");
}
