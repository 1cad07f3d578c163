// The kinds of pictures that a story may show.

import { CurvePicture } from "./curve_picture.js";
import { DictionaryPicture } from "./dictionary_picture.js";
import { MapsPicture } from "./maps_picture.js";
import { PosePicture } from "./pose_picture.js";
import { ExamplesPicture, ListsPicture } from "./rows_pictures.js";
import { RunsPicture } from "./runs_picture.js";

export const PICTURES = {
  curve: CurvePicture,
  dictionary: DictionaryPicture,
  examples: ExamplesPicture,
  inverse: CurvePicture,
  lists: ListsPicture,
  maps: MapsPicture,
  pose: PosePicture,
  runs: RunsPicture,
};
