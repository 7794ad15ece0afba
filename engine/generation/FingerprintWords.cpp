#include "engine/generation/FingerprintWords.h"

#include "engine/generation/TraceNames.h"

#include <array>

namespace engine {

namespace {

// Things that a child can name, none one letter away from another, in alphabetical order. A word's
// place is the byte that it stands for, so an entry must never be moved: machines are compared by
// what is read aloud.
constexpr std::array<std::string_view, 256> words = {
    "acorn",  "actor",   "album",   "ankle",    "apple",   "apron",    "arrow",   "atlas",
    "bacon",  "badge",   "bagel",   "bamboo",   "banjo",   "barn",     "basil",   "basket",
    "beach",  "bead",    "beaver",  "berry",    "bishop",  "blanket",  "bolt",    "bonnet",
    "bottle", "branch",  "brick",   "bridge",   "brush",   "bucket",   "bugle",   "bulb",
    "butter", "button",  "cabin",   "cactus",   "camel",   "candle",   "canoe",   "canyon",
    "carpet", "castle",  "cedar",   "cellar",   "cherry",  "chess",    "chimney", "cider",
    "circus", "clock",   "clover",  "coach",    "cobra",   "coffee",   "comet",   "copper",
    "coral",  "cotton",  "cougar",  "cradle",   "crayon",  "cricket",  "crown",   "cup",
    "daisy",  "dancer",  "delta",   "desert",   "diamond", "dinner",   "dolphin", "dragon",
    "drum",   "duck",    "eagle",   "easel",    "echo",    "elbow",    "engine",  "envelope",
    "fabric", "falcon",  "farmer",  "feather",  "fence",   "fiddle",   "finger",  "flag",
    "flute",  "forest",  "fossil",  "fountain", "fox",     "freckle",  "frog",    "galaxy",
    "garden", "garlic",  "ghost",   "giraffe",  "glacier", "glove",    "goblet",  "gorilla",
    "grape",  "guitar",  "gull",    "hammer",   "harbor",  "harp",     "hazel",   "hedge",
    "helmet", "hermit",  "hippo",   "hockey",   "honey",   "hood",     "hotel",   "icicle",
    "igloo",  "indigo",  "insect",  "island",   "ivory",   "jacket",   "jaguar",  "jelly",
    "jewel",  "jigsaw",  "jungle",  "juniper",  "kayak",   "kettle",   "kitchen", "kite",
    "kiwi",   "koala",   "ladder",  "lagoon",   "lantern", "lemon",    "lentil",  "leopard",
    "lily",   "lizard",  "llama",   "lobster",  "lotus",   "lumber",   "magnet",  "mango",
    "maple",  "marble",  "meadow",  "melon",    "mirror",  "mitten",   "monkey",  "mosaic",
    "motor",  "muffin",  "museum",  "napkin",   "nectar",  "needle",   "nickel",  "noodle",
    "nugget", "nutmeg",  "oasis",   "ocean",    "olive",   "onion",    "opera",   "orange",
    "orchid", "otter",   "oven",    "owl",      "oyster",  "paddle",   "palace",  "panda",
    "paper",  "parrot",  "pebble",  "pencil",   "pepper",  "piano",    "pigeon",  "pillow",
    "pirate", "planet",  "plum",    "pony",     "poppy",   "pumpkin",  "puzzle",  "quartz",
    "quilt",  "rabbit",  "radar",   "radish",   "raven",   "ribbon",   "river",   "robin",
    "rocket", "rooster", "ruby",    "salmon",   "sandal",  "satin",    "sausage", "scarf",
    "shadow", "sheriff", "silver",  "spider",   "sponge",  "squirrel", "sugar",   "sunset",
    "swan",   "table",   "tadpole", "teapot",   "temple",  "thimble",  "tiger",   "toast",
    "tomato", "topaz",   "tulip",   "tunnel",   "turtle",  "umbrella", "unicorn", "valley",
    "velvet", "violin",  "volcano", "waffle",   "wagon",   "walnut",   "walrus",  "whale",
    "window", "winter",  "wolf",    "yacht",    "yogurt",  "zebra",    "zigzag",  "zipper",
};

} // namespace

std::span<const std::string_view> fingerprintWords()
{
    return words;
}

std::string spokenWords(std::string_view sha256)
{
    constexpr std::size_t digits = 8;
    const auto bytes = fromHex(sha256.substr(0, digits));
    std::string text;
    for (const char byte : bytes.value_or("")) {
        if (!text.empty())
            text += ' ';
        text += words[static_cast<unsigned char>(byte)];
    }
    return text;
}

} // namespace engine
