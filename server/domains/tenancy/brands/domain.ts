import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { getBrand, putBrand, removeBrandPicture, uploadBrandPicture } from "./contract";
import { exports } from "./export";
import { sweepBrandsJob } from "./jobs";
import { get, update } from "./service/brand";
import { BRANDS, remove, upload } from "./service/pictures";

export const brands = domain({
  operations: {
    get: handle(getBrand, get),
    update: handle(putBrand, update),
    upload: handle(uploadBrandPicture, upload),
    removePicture: handle(removeBrandPicture, remove),
  },
  jobs: {
    sweep_brands: job(sweepBrandsJob, { cron: "53 * * * *", catchUp: "1d" }),
  },
  relations: [
    {
      table: "brands",
      column: "user_id",
      topic: "branding",
      onDeletion: "delete",
      export: "brand",
      files: ["logo_path", "logo_dark_path", "icon_path"],
    },
  ],
  stored: ["logo_path", "logo_dark_path", "icon_path"].map((column) => ({
    table: "brands",
    column,
    folder: BRANDS,
  })),
  exports,
  audit: ["brand.changed", "brand.picture_changed"],
});
