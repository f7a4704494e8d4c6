import { Check, Minus } from "lucide-react";
import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";

/** Shows what the server enforces; keep both in step. */
const RIGHTS = [
  { key: "site", agent: true, subUser: true },
  { key: "newSites", agent: false, subUser: true },
  { key: "keys", agent: false, subUser: true },
  { key: "otherSites", agent: false, subUser: false },
  { key: "invite", agent: false, subUser: true },
] as const;

export function RightsTable() {
  const t = useTranslations("team.rights");
  const renderRightCell = (isAllowed: boolean) => (
    <td className="px-3 py-2.5 text-center last:pe-5">
      {isAllowed ? (
        <Check className="mx-auto text-success-text" />
      ) : (
        <Minus className="mx-auto text-fg-subtle" />
      )}
      <span className="sr-only">{t(isAllowed ? "yes" : "no")}</span>
    </td>
  );
  return (
    <Card title={t("title")} flush>
      <table className="w-full text-sm">
        <caption className="sr-only">{t("title")}</caption>
        <thead>
          <tr className="border-border border-b text-compact text-fg-muted">
            <th scope="col" className="px-5 py-2 text-start font-medium">
              {t("right")}
            </th>
            <th scope="col" className="px-3 py-2 font-medium">
              {t("agent")}
            </th>
            <th scope="col" className="px-3 py-2 pe-5 font-medium">
              {t("subUser")}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {RIGHTS.map(({ key, agent, subUser }) => (
            <tr key={key}>
              <th scope="row" className="px-5 py-2.5 text-start font-normal">
                {t(key)}
              </th>
              {renderRightCell(agent)}
              {renderRightCell(subUser)}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
