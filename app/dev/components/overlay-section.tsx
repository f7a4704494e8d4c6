"use client";

import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { Drawer } from "@/components/ui/drawer";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { KeyValue } from "@/components/ui/key-value";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "@/components/ui/menu";
import { Tabs } from "@/components/ui/tabs";
import { toast } from "@/components/ui/toast";
import { Tooltip } from "@/components/ui/tooltip";

export function OverlaySection() {
  const t = useTranslations();
  return (
    <>
      <Card title="Dialog, AlertDialog, Drawer, Menu, Tooltip, Toast">
        <div className="flex flex-wrap gap-2">
          <Dialog
            title={t("gallery.siteNew")}
            description={t("gallery.emptyText")}
            trigger={<Button>Dialog</Button>}
            footer={
              <>
                <DialogClose>
                  <Button>{t("common.cancel")}</Button>
                </DialogClose>
                <Button variant="primary">{t("common.save")}</Button>
              </>
            }
          >
            <Field label={t("gallery.domain")} hint={t("gallery.domainHint")}>
              <Input dir="ltr" />
            </Field>
          </Dialog>
          <AlertDialog
            title={t("gallery.siteDelete")}
            description={t("gallery.siteDeleteText")}
            confirmLabel={t("gallery.siteDelete")}
            typeToConfirm="kahve"
            trigger={<Button>AlertDialog</Button>}
            onConfirm={async () => {
              await new Promise((done) => window.setTimeout(done, 600));
              toast.success(t("gallery.siteDeleted"), {
                action: { label: t("common.undo"), onSelect: () => toast.neutral(t("gallery.saved")) },
              });
            }}
          >
            <KeyValue
              items={[
                { key: "a", label: t("gallery.name"), value: "Kahve Dünyası" },
                { key: "b", label: t("gallery.state"), value: t("gallery.active") },
              ]}
            />
          </AlertDialog>
          <Drawer title={t("gallery.siteNew")} trigger={<Button>Drawer</Button>}>
            <p className="text-fg-muted">{t("gallery.emptyText")}</p>
          </Drawer>
          <Menu
            trigger={
              <IconButton
                label={t("common.actions")}
                icon={<Ellipsis />}
                variant="secondary"
                tooltip={false}
              />
            }
          >
            <MenuItem icon={<Pencil />}>{t("common.edit")}</MenuItem>
            <MenuLink href={"/dev/components/shell" as Route}>{t("navigation.docs")}</MenuLink>
            <MenuSeparator />
            <MenuItem icon={<Trash2 />} danger>
              {t("common.delete")}
            </MenuItem>
          </Menu>
          <Tooltip text={t("gallery.aiHint")}>
            <Button variant="ghost">Tooltip</Button>
          </Tooltip>
          <Button
            variant="ghost"
            onClick={() => toast.danger(t("gallery.limit"), { description: t("ui.error.network") })}
          >
            Toast
          </Button>
        </div>
      </Card>
      <Card title="Tabs">
        <Tabs
          label="Tabs"
          tabs={[
            {
              value: "sites",
              label: t("navigation.sites"),
              count: 3,
              content: <p className="text-fg-muted">{t("gallery.emptyText")}</p>,
            },
            {
              value: "docs",
              label: t("navigation.docs"),
              content: <p className="text-fg-muted">{t("gallery.text")}</p>,
            },
            {
              value: "settings",
              label: t("navigation.settings"),
              content: <p className="text-fg-muted">{t("gallery.aiHint")}</p>,
            },
          ]}
        />
      </Card>
    </>
  );
}
