import type { Route } from "next";
import { useTranslations } from "next-intl";
import { AppLink } from "@/components/ui/app-link";
import { Banner } from "@/components/ui/banner";
import { DeadConnectionText, ReconnectButton } from "./dead-connection";
import type { DeadConnection } from "./types";

export function DeadConnectionBanner({ connection, count }: { connection: DeadConnection; count: number }) {
  const t = useTranslations("connections.banner");
  return (
    <Banner
      tone="warning"
      dismissKey={`connection ${connection.id} ${count}`}
      action={<ReconnectButton connection={connection} />}
    >
      <span>
        <DeadConnectionText connection={connection} />
      </span>
      {count > 1 ? (
        <span>
          {" · "}
          <AppLink
            href={"/connections?state=dead" as Route}
            className="whitespace-nowrap text-primary-text underline decoration-primary-text/35 underline-offset-4"
          >
            {t("more", { count: count - 1 })}
          </AppLink>
        </span>
      ) : null}
    </Banner>
  );
}
