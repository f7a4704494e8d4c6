import { Search } from "lucide-react";
import Form from "next/form";
import { getTranslations } from "next-intl/server";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import { MAILBOX_PATH, type MailboxState } from "./state";

export async function SearchForm({ state: { to } }: { state: MailboxState }) {
  const t = await getTranslations("mailbox");
  return (
    <Form action={MAILBOX_PATH} role="search" className="mb-6 flex flex-wrap gap-2">
      <div className="min-w-0 flex-1 basis-60 sm:max-w-[22rem]">
        <Input
          key={to}
          name="to"
          defaultValue={to}
          aria-label={t("search")}
          placeholder={t("search")}
          before={<Search />}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
        />
      </div>
      <Button type="submit">{t("find")}</Button>
      {to ? (
        <LinkButton variant="ghost" href={MAILBOX_PATH}>
          {t("clear")}
        </LinkButton>
      ) : null}
    </Form>
  );
}
