"use client";

import { Copy, Ellipsis, ExternalLink, Hash, PanelTop, Pause, Play } from "lucide-react";
import { useTranslations } from "next-intl";
import { IconButton } from "@/components/ui/icon-button";
import { Menu, MenuItem, MenuLink } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { getSitePath } from "./site-path";
import type { Site } from "./types";

export function SiteMenu({
  site,
  canChange,
}: {
  site: Pick<Site, "id" | "name" | "domain" | "is_active">;
  canChange: boolean;
}) {
  const t = useTranslations();

  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text);
      toast.success(t("ui.copy.done"));
    } catch {
      toast.danger(t("ui.copy.failed"));
    }
  }

  return (
    <Menu
      trigger={
        <IconButton
          label={t("sites.menu.label", { name: site.name })}
          icon={<Ellipsis />}
          size="sm"
          tooltip={false}
        />
      }
    >
      <MenuLink icon={<PanelTop />} href={getSitePath(site.id)}>
        {t("sites.menu.open")}
      </MenuLink>
      <MenuItem
        icon={<ExternalLink className="mirror" />}
        onSelect={() => window.open(`https://${site.domain}`, "_blank", "noopener,noreferrer")}
      >
        {t("sites.menu.visit")}
      </MenuItem>
      <MenuItem icon={<Copy />} onSelect={() => copy(site.domain)}>
        {t("sites.menu.copyDomain")}
      </MenuItem>
      <MenuItem icon={<Hash />} onSelect={() => copy(String(site.id))}>
        {t("sites.menu.copyId")}
      </MenuItem>
      {canChange ? (
        <MenuLink icon={site.is_active ? <Pause /> : <Play />} href={getSitePath(site.id, "danger")}>
          {t(site.is_active ? "sites.suspension.suspendDots" : "sites.suspension.activateDots")}
        </MenuLink>
      ) : null}
    </Menu>
  );
}
