// The kinds of pictures that a story may show.

import { PosePicture } from "./pose_picture.js";

export const PICTURES = {
  pose: PosePicture,
};
