import { Lock } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Ltr } from "./bidi";
import { EmptyState } from "./empty-state";

export interface ForbiddenStateProps {
  title?: ReactNode;
  children?: ReactNode;
  contact?: { name?: string | null; email?: string | null; phone?: string | null };
  action?: ReactNode;
  heading?: "h1" | "h2" | "h3";
}

export function ForbiddenState({ title, children, contact, action, heading }: ForbiddenStateProps) {
  const t = useTranslations("ui.forbidden");
  const linkClass = "font-medium text-primary-text underline decoration-primary-text/35 underline-offset-4";
  return (
    <EmptyState heading={heading} icon={<Lock />} title={title ?? t("title")} action={action}>
      <p>{children ?? t("text")}</p>
      {contact ? (
        <div className="mt-4">
          <p>
            {t("ask")} {contact.name ? <bdi className="font-medium text-fg">{contact.name}</bdi> : null}
          </p>
          <p className="mt-1 flex flex-wrap justify-center gap-x-4 gap-y-1">
            {contact.email ? (
              <a className={linkClass} href={`mailto:${contact.email}`}>
                <Ltr>{contact.email}</Ltr>
              </a>
            ) : null}
            {contact.phone ? (
              <a className={linkClass} href={`tel:${contact.phone}`}>
                <Ltr>{contact.phone}</Ltr>
              </a>
            ) : null}
          </p>
        </div>
      ) : null}
    </EmptyState>
  );
}
